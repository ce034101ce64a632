import type { Command } from 'commander';
import type { z } from 'zod';
import type { addedMember } from '../../../specs/operations/client-shapes.ts';
import { type ApiTarget, apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { type Client, findClient } from '../find-client.ts';
import { memberText, readMember } from '../member-argument.ts';
import { CliError, note, noteWarning, printResult, recordText, type Terminal } from '../output.ts';

type AddedMember = z.infer<typeof addedMember>;

interface AddFlags extends ApiFlags {
  alias?: string;
}

/** `svc client add <client> <member>`: adds a node or a flow to a client. */
export function addCommand(terminal: Terminal): Command {
  return apiCommand('add', 'write')
    .description('Add a node or a flow to a client')
    .argument('<client>', 'name, slug or id of the client')
    .argument('<member>', memberText)
    .option('--alias <name>', 'name in the SDKs (default: the name of the node or flow)')
    .action((client: string, member: string, flags: AddFlags) => add(terminal, { client, member }, flags));
}

/** `svc client remove <client> <member>`: removes a node or a flow from a client. */
export function removeCommand(terminal: Terminal): Command {
  return apiCommand('remove', 'write', { json: false })
    .description('Remove a node or a flow from a client')
    .argument('<client>', 'name, slug or id of the client')
    .argument('<member>', 'alias or id of the member, as svc client get shows it')
    .action((client: string, member: string, flags: ApiFlags) => remove(terminal, { client, member }, flags));
}

/**
 * Adds a member to a client, and prints the warnings about it: secrets that a container of another tenant receives.
 *
 * @throws CliError that names the member, if it is refused
 */
export async function addMember(
  terminal: Terminal,
  target: ApiTarget,
  client: Client,
  { member, alias }: { member: string; alias?: string | undefined },
): Promise<AddedMember> {
  const body = readMember(member, alias);
  const taken = alias ?? ('node_name' in body ? body.node_name : undefined);
  const added = await askApi<AddedMember>(target, {
    method: 'POST',
    path: apiPath('/api/v1/clients/{}/members', client.id),
    body,
    subject: `cannot add the ${body.type} "${member}"`,
    hint: `run svc ${body.type === 'flow' ? 'flow' : 'package'} list to see what there is`,
    advice: {
      'a member with that alias already exists — pass a distinct alias': `choose one${taken === undefined ? '' : ` other than "${taken}"`} with --alias <name>`,
    },
  });
  for (const warning of added.warnings) noteWarning(terminal, warning);
  return added;
}

async function add(
  terminal: Terminal,
  given: { client: string; member: string },
  flags: AddFlags,
): Promise<void> {
  const target = apiTarget(terminal, flags);
  readMember(given.member);
  const client = await findClient(target, given.client);
  const added = await addMember(terminal, target, client, { member: given.member, alias: flags.alias });
  note(
    terminal,
    `added ${added.alias} to ${client.slug}: svc client build ${client.slug} builds SDKs with it`,
  );
  printResult(
    terminal,
    flags,
    added,
    recordText({
      alias: added.alias,
      ...(added.package_name === undefined
        ? { flow: added.artifact_id ?? null }
        : {
            node: added.node_name ?? added.node_ulid ?? null,
            package: added.package_name,
            version: added.package_version ?? null,
          }),
      id: added.id,
    }),
  );
}

async function remove(
  terminal: Terminal,
  given: { client: string; member: string },
  flags: ApiFlags,
): Promise<void> {
  const target = apiTarget(terminal, flags);
  const { id, slug } = await findClient(target, given.client);
  const path = apiPath('/api/v1/clients/{}', id);
  const { members } = await askApi<Client>(target, { method: 'GET', path });
  const member = members.find((one) => one.alias === given.member || one.id === given.member);
  if (!member) {
    const aliases = members.map(({ alias }) => alias).join(', ') || 'none';
    throw new CliError(`client ${slug} has no member "${given.member}": its members are ${aliases}`);
  }
  await askApi(target, { method: 'DELETE', path: `${path}/${apiPath('members/{}', member.id)}` });
  note(terminal, `removed ${member.alias} from ${slug}`);
}
