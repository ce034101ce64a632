import type { Tx } from './database.ts';
import { deleteRecords, insertRecords, listRecords } from './records.ts';
import { defineTable, integer, nullable, text } from './table.ts';

/** A node or a flow in a client (SPEC.md, Client member). */
export interface ClientMember {
  tenantId: string;
  id: string;
  clientId: string;
  memberType: 'node' | 'flow';
  /** What the SDKs call it by; unique in the client. */
  alias: string;
  /** Node members: full package name, pinned version, and node. */
  packageName: string | null;
  packageVersion: string | null;
  nodeUlid: string | null;
  /** Flow members. */
  artifactId: string | null;
  createdAt: number;
}

const members = defineTable<ClientMember>('client_members', {
  tenantId: text(),
  id: text(),
  clientId: text(),
  memberType: text(),
  alias: text(),
  packageName: nullable(text()),
  packageVersion: nullable(text()),
  nodeUlid: nullable(text()),
  artifactId: nullable(text()),
  createdAt: integer(),
});

/** Unique index that refuses a second member of the same alias. */
export const aliasTaken = 'client_members_tenant_id_client_id_alias_unique';

export async function insertMembers(tx: Tx, records: readonly ClientMember[]): Promise<void> {
  await insertRecords(tx, members, records);
}

/** In the order of adding. */
export async function listMembers(tx: Tx, tenantId: string, clientId: string): Promise<ClientMember[]> {
  return listRecords(tx, members, { tenantId, clientId }, ['createdAt', 'id']);
}

/** Whether there was such a member. */
export async function deleteMember(tx: Tx, tenantId: string, clientId: string, id: string): Promise<boolean> {
  return (await deleteRecords(tx, members, { tenantId, clientId, id })) > 0;
}

export async function deleteMembers(tx: Tx, tenantId: string, clientId: string): Promise<void> {
  await deleteRecords(tx, members, { tenantId, clientId });
}
