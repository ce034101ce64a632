import { isPostgres, type Tx } from './database.ts';

/** A version, and the tenant that published it. */
export interface VersionKey {
  tenantId: string;
  id: string;
}

interface Row {
  tenant_id: string;
  id: string;
  endpoint: string | null;
  deleted_at: number | null;
}

/** Holds one version, like `holdVersions`. Returns false if it is deleted. */
export async function holdVersion(tx: Tx, version: VersionKey): Promise<boolean> {
  return (await holdVersions(tx, [version])).has(version.id);
}

/**
 * Ensures that versions are not deleted before or during the transaction, which is about to store references to them. Deletion
 * waits for the transaction and then finds the reference.
 *
 * @returns the ids of those that are not deleted
 */
export async function holdVersions(tx: Tx, versions: readonly VersionKey[]): Promise<ReadonlySet<string>> {
  if (versions.length === 0) return new Set();
  // One query, because a transaction on SQLite blocks the event loop until it ends.
  const query = tx<Row>('package_versions')
    .select('id')
    .whereIn(
      ['tenant_id', 'id'],
      versions.map(({ tenantId, id }) => [tenantId, id]),
    )
    .whereNull('deleted_at')
    // Sorted, so that two transactions do not deadlock.
    .orderBy(['tenant_id', 'id']);
  // SQLite has one writer at a time. The lock lets others deploy the versions.
  if (isPostgres(tx)) void query.forKeyShare();
  const rows = await query;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Waits for transactions that hold the version, and keeps others from holding or deploying it until the end of this transaction.
 *
 * @returns its endpoint, or `undefined` if the version is deleted
 */
export async function lockVersion(
  tx: Tx,
  { tenantId, id }: VersionKey,
): Promise<{ endpoint: string | null } | undefined> {
  const query = tx<Row>('package_versions').where({ tenant_id: tenantId, id }).whereNull('deleted_at');
  if (isPostgres(tx)) void query.forUpdate();
  return query.first('endpoint');
}

/**
 * Deletes a version that `lockVersion` has locked: its sources, and its messages from the index of message names. Its number
 * stays reserved, and its types remain for the data recorded with them.
 *
 * @param at epoch milliseconds
 */
export async function markDeleted(tx: Tx, { tenantId, id }: VersionKey, at: number): Promise<void> {
  await tx('message_types').where({ tenant_id: tenantId, version_id: id }).delete();
  await tx('package_versions')
    .where({ tenant_id: tenantId, id })
    .update({ deleted_at: at, protos: '{}', sealed_token: null });
}
