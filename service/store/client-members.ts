import type { Tx } from './database.ts';
import { deleteRecords, insertRecords, listRecords } from './records.ts';
import { bigInteger, defineTable, nullable, text } from './table.ts';

/** A node or flow of a client. */
export interface ClientMember {
  tenantId: string;
  id: string;
  clientId: string;
  memberType: 'node' | 'flow';
  /** Name of the member in SDKs, unique in the client. */
  alias: string;
  /** Node members only: full package name, pinned version, and node. */
  packageName: string | null;
  packageVersion: string | null;
  nodeUlid: string | null;
  /** Flow members only. */
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
  createdAt: bigInteger(),
});

/** Unique index over the alias. */
export const aliasTaken = 'client_members_tenant_id_client_id_alias_unique';

/**
 * Adds members. Call it in a transaction: a long list takes several statements. Fails with a violation of `aliasTaken` if an
 * alias is in use.
 */
export async function insertMembers(tx: Tx, records: readonly ClientMember[]): Promise<void> {
  await insertRecords(tx, members, records);
}

/** Lists members in the order in which they were added. */
export async function listMembers(tx: Tx, tenantId: string, clientId: string): Promise<ClientMember[]> {
  return listRecords(tx, members, { tenantId, clientId }, ['createdAt', 'id']);
}

/** Deletes a member. Returns false if there is no such member. */
export async function deleteMember(tx: Tx, tenantId: string, clientId: string, id: string): Promise<boolean> {
  return (await deleteRecords(tx, members, { tenantId, clientId, id })) > 0;
}

/** Removes all members of a client. Its versions have their own copies. */
export async function deleteMembers(tx: Tx, tenantId: string, clientId: string): Promise<void> {
  await deleteRecords(tx, members, { tenantId, clientId });
}
