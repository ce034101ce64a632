import type { Tx } from './database.ts';
import { insertRecords, listRecords } from './records.ts';
import { defineTable, text } from './table.ts';

/** A message that a package version declares or imports; those of `google.protobuf` are nobody's. */
export interface MessageTypeRecord {
  tenantId: string;
  versionId: string;
  /** Full name. */
  name: string;
}

/** Where a message stands. */
export interface MessagePlace {
  tenantId: string;
  versionId: string;
}

const messageTypes = defineTable<MessageTypeRecord>('message_types', {
  tenantId: text(),
  versionId: text(),
  name: text(),
});

/** Adds those of the names that the version does not have yet. */
export async function insertMessageTypes(
  tx: Tx,
  { tenantId, versionId }: MessagePlace,
  names: Iterable<string>,
): Promise<void> {
  const known = await listRecords(tx, messageTypes, { tenantId, versionId }, ['name']);
  const fresh = new Set(names);
  for (const { name } of known) fresh.delete(name);
  await insertRecords(
    tx,
    messageTypes,
    [...fresh].map((name) => ({ tenantId, versionId, name })),
  );
}

/**
 * The version that a bare message name means for a tenant: of its own packages before public ones, the one published last.
 * `undefined`: no package that it can read has the message.
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
