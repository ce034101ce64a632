import type { z } from 'zod';
import type { clientRecord } from '../../specs/operations/client-shapes.ts';
import type { ApiTarget } from './api-client.ts';
import { askApi } from './ask-api.ts';
import { clientNamed } from './client-named.ts';
import { CliError } from './output.ts';

/** A client of the tenant. Its members and builds are empty in lists. */
export type Client = z.infer<typeof clientRecord>;

/** Lists the clients of the tenant. */
export function listClients(target: ApiTarget): Promise<Client[]> {
  return askApi<Client[]>(target, { method: 'GET', path: '/api/v1/clients' });
}

/**
 * Finds a client by its id, its name or its slug.
 *
 * @returns the client without its members and builds
 * @throws CliError that names the clients that exist
 */
export async function findClient(target: ApiTarget, given: string): Promise<Client> {
  const clients = await listClients(target);
  const found = clientNamed(clients, given);
  if (!found) throw unknownClient(given, clients);
  return found;
}

function unknownClient(given: string, clients: readonly Client[]): CliError {
  if (clients.length === 0) {
    return new CliError(`no client "${given}": there are none yet, create one with svc client create <name>`);
  }
  const shown = clients.slice(0, 5).map(({ slug }) => slug);
  if (clients.length > shown.length) shown.push('...');
  return new CliError(`no client "${given}": run svc client list to see what there is (${shown.join(', ')})`);
}
