import { isPostgres, type Tx } from './database.ts';
import { listRecords } from './records.ts';
import { defineTable, text } from './table.ts';

/** A message that a package version declares or imports, except those of `google.protobuf`. */
interface MessageTypeRecord {
  tenantId: string;
  versionId: string;
  /** Full name. */
  name: string;
}

/** The package version of a message. */
export interface MessagePlace {
  tenantId: string;
  versionId: string;
}

const messageTypes = defineTable<MessageTypeRecord>('message_types', {
  tenantId: text(),
  versionId: text(),
  name: text(),
});

/** Adds the names that are not yet stored for the version. */
export async function insertMessageTypes(
  tx: Tx,
  { tenantId, versionId }: MessagePlace,
  names: Iterable<string>,
): Promise<void> {
  const known = await listRecords(tx, messageTypes, { tenantId, versionId }, ['name']);
  const fresh = new Set(names);
  for (const { name } of known) fresh.delete(name);
  if (fresh.size === 0) return;
  // A package may have 10,000 messages. Inserting 200 rows per statement blocked the main thread for 50 ms longer.
  const list = isPostgres(tx) ? 'json_array_elements_text(?::json) as names (value)' : 'json_each(?)';
  await tx.raw(`insert into message_types (tenant_id, version_id, name) select ?, ?, value from ${list}`, [
    tenantId,
    versionId,
    JSON.stringify([...fresh]),
  ]);
}

/**
 * Resolves a message name for a tenant: the tenant's own packages take precedence over public ones, and later versions over earlier
 * ones. Returns `undefined` if no readable package has the message.
 */
export async function findMessage(tx: Tx, tenantId: string, name: string): Promise<MessagePlace | undefined> {
  const row = (await tx(messageTypes.name)
    .join('package_versions', function () {
      this.on('package_versions.tenant_id', 'message_types.tenant_id');
      this.on('package_versions.id', 'message_types.version_id');
    })
    .join('packages', function () {
      this.on('packages.tenant_id', 'package_versions.tenant_id');
      this.on('packages.id', 'package_versions.package_id');
    })
    .where('message_types.name', name)
    .where(
      (readable) =>
        void readable.where('packages.tenant_id', tenantId).orWhere('packages.visibility', 'public'),
    )
    .orderByRaw('case when packages.tenant_id = ? then 0 else 1 end', [tenantId])
    .orderBy('package_versions.created_at', 'desc')
    .orderBy('package_versions.id', 'desc')
    .select('package_versions.tenant_id', 'package_versions.id')
    .first()) as { tenant_id: string; id: string } | undefined;
  return row && { tenantId: row.tenant_id, versionId: row.id };
}
