import { clientNotFound, versionNotFound } from '../errors/client-errors.ts';
import { type ClientBuild, findBuild } from '../store/client-builds.ts';
import { type ClientMember, listMembers } from '../store/client-members.ts';
import { type Client, type CountedClient, findClient } from '../store/clients.ts';
import type { Tx } from '../store/database.ts';
import { listNodeNames } from '../store/nodes.ts';

/** A client with its members. */
export interface ClientWithMembers {
  client: CountedClient;
  members: ClientMember[];
  /** Names of the nodes among the members, by ULID. */
  nodeNames: ReadonlyMap<string, string>;
}

/** @throws ApiError 404 `client not found`, including for a client of another tenant */
export async function readClient(tx: Tx, tenantId: string, id: string): Promise<Client> {
  const client = await findClient(tx, tenantId, id);
  if (!client) throw clientNotFound();
  return client;
}

/** @throws ApiError 404 `client not found` */
export async function readClientWithMembers(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ClientWithMembers> {
  const client = await readClient(tx, tenantId, id);
  const members = await listMembers(tx, tenantId, id);
  return {
    // Versions have no gaps, so the latest version is also their number.
    client: { ...client, memberCount: members.length, versionCount: client.latestVersion },
    members,
    nodeNames: await nodeNamesOf(tx, members),
  };
}

/** Returns the names of the nodes among members, by ULID. */
export function nodeNamesOf(tx: Tx, members: readonly ClientMember[]): Promise<ReadonlyMap<string, string>> {
  return listNodeNames(
    tx,
    members.flatMap(({ nodeUlid }) => nodeUlid ?? []),
  );
}

/** @throws ApiError 404 `client not found`, `version not found` */
export async function readBuild(
  tx: Tx,
  tenantId: string,
  { clientId, version, language }: { clientId: string; version: string; language: string },
): Promise<ClientBuild> {
  await readClient(tx, tenantId, clientId);
  // A number of more than nine digits exceeds the column. Any other text is not a version.
  const build = /^[1-9]\d{0,8}$/.test(version)
    ? await findBuild(tx, tenantId, clientId, Number(version), language)
    : undefined;
  if (!build) throw versionNotFound();
  return build;
}
