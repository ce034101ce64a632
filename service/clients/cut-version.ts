import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { clientHasNoMembers, clientNotFound } from '../errors/client-errors.ts';
import { listMembers } from '../store/client-members.ts';
import { findClientVersion, insertClientVersion } from '../store/client-versions.ts';
import { type Client, raiseLatestVersion } from '../store/clients.ts';
import type { Database, Tx } from '../store/database.ts';
import type { Tenant } from '../store/tenants.ts';
import { type ClientSnapshot, snapshotOf, snapshotToJson } from './client-snapshot.ts';
import { readClient } from './read-client.ts';
import { type PlanVersion, takeSnapshot } from './take-snapshot.ts';

/** Maximum number of attempts if the client or its members change while the snapshot is taken. */
const attempts = 50;

interface CutVersion {
  tenantId: string;
  clientId: string;
  version: number;
}

/** What is needed to cut a version. Cutting opens its own transaction, and takes the snapshot outside of it. */
export interface CutOptions {
  db: Database;
  clock: Clock;
  plan: PlanVersion;
}

/**
 * Cuts the next version of a client: takes a snapshot of its members, computes the semantic version, and runs `also` in the same
 * transaction. Concurrent requests get different versions.
 *
 * @throws ApiError 400 `client has no members ...`, 404 `client not found`
 */
export async function cutVersion<T>(
  { db, clock, plan }: CutOptions,
  tenant: Tenant,
  clientId: string,
  also: (tx: Tx, cut: CutVersion) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const client = await readClient(db.knex, tenant.id, clientId);
    const members = await listMembers(db.knex, tenant.id, clientId);
    if (members.length === 0) throw clientHasNoMembers();
    const previous = await previousVersion(db.knex, client);
    // Reading and comparing types takes too long for a transaction, which blocks other writers. The snapshot is therefore taken
    // first, and used only if nothing has changed since.
    const { semver, snapshot } = await takeSnapshot(db.knex, plan, { tenant, client, members, previous });

    try {
      return await db.transaction(async (tx) => {
        const version = await raiseLatestVersion(tx, tenant.id, clientId, clock.now());
        if (version === undefined) throw clientNotFound();
        const current = await listMembers(tx, tenant.id, clientId);
        if (version !== client.latestVersion + 1 || !isDeepStrictEqual(current, members)) {
          throw new SnapshotOutdated();
        }
        const cut = { tenantId: tenant.id, clientId, version };
        await insertClientVersion(tx, {
          ...cut,
          semver,
          snapshot: snapshotToJson(snapshot),
          createdAt: clock.now(),
        });
        return await also(tx, cut);
      });
    } catch (error) {
      if (!(error instanceof SnapshotOutdated)) throw error;
    }
  }
  throw new Error(`client ${clientId} changed ${attempts} times while a version of it was cut`);
}

/** Rolls back the transaction before another attempt. */
class SnapshotOutdated extends Error {
  override readonly name = 'SnapshotOutdated';
}

/** The version that the new one is compared with. */
interface PreviousVersion {
  semver: string;
  snapshot: ClientSnapshot;
}

async function previousVersion(tx: Tx, client: Client): Promise<PreviousVersion | undefined> {
  const found = await findClientVersion(tx, client.tenantId, client.id, client.latestVersion);
  return found && { semver: found.semver, snapshot: snapshotOf(found) };
}
