import { Command } from 'commander';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { apiTarget } from '../api-client.ts';
import { askApi } from '../ask-api.ts';
import { type Client, findClient, listClients } from '../find-client.ts';
import { flowTexts } from '../flow-names.ts';
import { note, printResult, recordText, table, type Terminal } from '../output.ts';
import { buildCommand } from './client-build.ts';
import { createCommand } from './client-create.ts';
import { downloadCommand } from './client-download.ts';
import { addCommand, removeCommand } from './client-members.ts';

/** `svc client`: manages clients and builds their SDKs over HTTP, as a tenant. A client is named by its name, slug or id. */
export function clientCommand(terminal: Terminal): Command {
  return new Command('client')
    .addCommand(listCommand(terminal))
    .addCommand(getCommand(terminal))
    .addCommand(createCommand(terminal))
    .addCommand(addCommand(terminal))
    .addCommand(removeCommand(terminal))
    .addCommand(buildCommand(terminal))
    .addCommand(downloadCommand(terminal))
    .addCommand(deleteCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  return apiCommand('list', 'read')
    .description('List the clients of the tenant')
    .action(async (flags: ApiFlags) => {
      const clients = await listClients(apiTarget(terminal, flags));
      const rows = clients.map((client) => [
        client.slug,
        client.name,
        String(client.member_count),
        client.latest_version === 0 ? null : String(client.latest_version),
        client.default_language,
        client.id,
      ]);
      const headings = ['CLIENT', 'NAME', 'MEMBERS', 'VERSION', 'LANGUAGE', 'ID'];
      printResult(terminal, flags, clients, table(headings, rows));
    });
}

function getCommand(terminal: Terminal): Command {
  return apiCommand('get', 'read')
    .description('Show a client with its members and builds')
    .argument('<client>', 'name, slug or id of the client')
    .action(async (given: string, flags: ApiFlags) => {
      const target = apiTarget(terminal, flags);
      const { id } = await findClient(target, given);
      const client = await askApi<Client>(target, { method: 'GET', path: apiPath('/api/v1/clients/{}', id) });
      const graphIds = flags.json ? [] : client.members.map((member) => member.artifact_id);
      printResult(terminal, flags, client, clientText(client, await flowTexts(target, graphIds)));
    });
}

function deleteCommand(terminal: Terminal): Command {
  return apiCommand('delete', 'write', { json: false })
    .description('Delete a client with its members and versions')
    .argument('<client>', 'name, slug or id of the client')
    .action(async (given: string, flags: ApiFlags) => {
      const target = apiTarget(terminal, flags);
      const { id, name } = await findClient(target, given);
      await askApi(target, { method: 'DELETE', path: apiPath('/api/v1/clients/{}', id) });
      note(terminal, `deleted client ${name}`);
    });
}

function clientText(client: Client, flows: Awaited<ReturnType<typeof flowTexts>>): string {
  const record = recordText({
    client: client.slug,
    name: client.name,
    id: client.id,
    description: client.description || null,
    language: client.default_language,
    version: client.latest_version === 0 ? null : String(client.latest_version),
  });
  const members = client.members.map((member) => [
    member.alias,
    member.member_type,
    member.package_name === undefined
      ? (flows.get(member.artifact_id) ?? member.artifact_id ?? null)
      : [`${member.package_name}@${member.package_version ?? ''}`, member.node_name ?? []].flat().join('/'),
    member.id,
  ]);
  const builds = client.versions.map((build) => [
    String(build.version),
    build.language,
    build.status,
    build.error ?? null,
  ]);
  return [
    record,
    table(['ALIAS', 'TYPE', 'NODE OR FLOW', 'ID'], members),
    ...(builds.length > 0 ? [table(['VERSION', 'LANGUAGE', 'STATUS', 'ERROR'], builds)] : []),
  ].join('\n\n');
}
