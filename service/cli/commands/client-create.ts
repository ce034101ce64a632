import type { Command } from 'commander';
import { type ApiTarget, apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath, repeated } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { counted } from '../counted.ts';
import type { Client } from '../find-client.ts';
import { requireKnownLanguages } from '../known-language.ts';
import { memberText, readMember } from '../member-argument.ts';
import { note, printResult, recordText, type Terminal, UsageError } from '../output.ts';
import { addMember } from './client-members.ts';

interface CreateFlags extends ApiFlags {
  description?: string;
  language?: string;
  alias?: string[];
}

/** `svc client create <name> [members...]`: creates a client with its members, or nothing. */
export function createCommand(terminal: Terminal): Command {
  return apiCommand('create', 'write')
    .description('Create a client, with members if they are given')
    .argument('<name>', 'name of the client; its packages are named after it')
    .argument('[members...]', `each a ${memberText}`)
    .option('--description <text>', 'description of the client')
    .option('--language <language>', 'default language of builds (default: typescript)')
    .option(
      '--alias <name>',
      'name of a member in the SDKs; repeatable, in the order of the members (default: the name of the node or flow)',
      repeated,
    )
    .action((name: string, members: string[], flags: CreateFlags) => create(terminal, name, members, flags));
}

async function create(
  terminal: Terminal,
  name: string,
  members: readonly string[],
  flags: CreateFlags,
): Promise<void> {
  const target = apiTarget(terminal, flags);
  // A malformed member is refused before anything is created.
  if (flags.language !== undefined) await requireKnownLanguages([flags.language]);
  for (const member of members) readMember(member);
  const aliases = flags.alias ?? [];
  if (aliases.length > members.length) {
    throw new UsageError(
      `there are more aliases (${aliases.length}) than members (${members.length}): each --alias names one member, in their order`,
    );
  }
  const body = {
    name,
    ...(flags.description !== undefined && { description: flags.description }),
    ...(flags.language !== undefined && { default_language: flags.language }),
  };
  let client = await askApi<Client>(target, { method: 'POST', path: '/api/v1/clients', body });
  if (members.length > 0) client = await withMembers(terminal, target, client, { members, aliases });
  note(terminal, `created client ${client.slug} with ${counted(members.length, 'member')}`);
  printResult(
    terminal,
    flags,
    client,
    recordText({
      client: client.slug,
      name: client.name,
      id: client.id,
      'default language': client.default_language,
      members: client.members.map(({ alias }) => alias).join(', ') || null,
    }),
  );
}

/**
 * Adds the members to a new client. If one is refused, deletes the client, so that the command can be repeated.
 *
 * @throws CliError that says why the member was refused, even if the client cannot be deleted
 */
async function withMembers(
  terminal: Terminal,
  target: ApiTarget,
  client: Client,
  { members, aliases }: { members: readonly string[]; aliases: readonly string[] },
): Promise<Client> {
  const path = apiPath('/api/v1/clients/{}', client.id);
  try {
    for (const [index, member] of members.entries()) {
      await addMember(terminal, target, client, { member, alias: aliases[index] });
    }
    return await askApi<Client>(target, { method: 'GET', path });
  } catch (error) {
    await askApi(target, { method: 'DELETE', path }).catch(() => {
      note(
        terminal,
        `client ${client.slug} remains without all of its members, because it could not be deleted: remove it with svc client delete ${client.slug}`,
      );
    });
    throw error;
  }
}
