import { clientNotFound, versionNotFound } from '../errors/client-errors.ts';
import { type ClientBuild, findBuild, listBuilds } from '../store/client-builds.ts';
import { type ClientMember, listMembers } from '../store/client-members.ts';
import { type Client, type CountedClient, findClient } from '../store/clients.ts';
import type { Tx } from '../store/database.ts';

/** A client with everything that get-one shows. */
export interface ClientDetail {
  client: CountedClient;
  members: ClientMember[];
  /** Newest version first. */
  builds: ClientBuild[];
}

/** @throws ApiError 404 `client not found`, for another tenant's too */
export async function readClient(tx: Tx, tenantId: string, id: string): Promise<Client> {
  const client = await findClient(tx, tenantId, id);
  if (!client) throw clientNotFound();
  return client;
}

export async function readClientDetail(tx: Tx, tenantId: string, id: string): Promise<ClientDetail> {
  const client = await readClient(tx, tenantId, id);
  const members = await listMembers(tx, tenantId, id);
  const builds = await readBuilds(tx, tenantId, id);
  return {
    // Versions are numbered without gaps, so the latest one is also how many there are.
    client: { ...client, memberCount: members.length, versionCount: client.latestVersion },
    members,
    builds,
  };
}

/** All build rows, newest version first, within a version in the order of asking. */
export async function readBuilds(tx: Tx, tenantId: string, clientId: string): Promise<ClientBuild[]> {
  await readClient(tx, tenantId, clientId);
  const builds = await listBuilds(tx, tenantId, clientId);
  return builds.sort((one, other) => other.version - one.version);
}

/** @throws ApiError 404 `client not found`, `version not found` */
export async function readBuild(
  tx: Tx,
  tenantId: string,
  { clientId, version, language }: { clientId: string; version: string; language: string },
): Promise<ClientBuild> {
  await readClient(tx, tenantId, clientId);
  // A version that is no number is one that does not exist; beyond nine digits it would not fit the column.
  const build = /^[1-9]\d{0,8}$/.test(version)
    ? await findBuild(tx, tenantId, clientId, Number(version), language)
    : undefined;
  if (!build) throw versionNotFound();
  return build;
}
