import { limits } from '../../specs/limits.ts';
import type { MemberBody } from '../../specs/operations/clients.ts';
import type { Clock } from '../clock.ts';
import { clientNotFound, memberAliasTaken, tooManyMembers } from '../errors/client-errors.ts';
import type { Ids } from '../ids.ts';
import {
  aliasTaken,
  type ClientMember,
  deleteMember,
  deleteMembers,
  insertMembers,
  listMembers,
} from '../store/client-members.ts';
import { updateClient } from '../store/clients.ts';
import type { Database, Tx } from '../store/database.ts';
import { isUniqueViolation } from '../store/database-errors.ts';
import { readClient } from './read-client.ts';
import { resolveMember, type ResolvedMember } from './resolve-member.ts';

export interface MemberOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
}

/** Whose members: every change is of one tenant's client. */
export interface ClientKey {
  tenantId: string;
  clientId: string;
}

/** Adds one member, pinned. */
export async function addMember(
  options: MemberOptions,
  client: ClientKey,
  body: MemberBody,
): Promise<ClientMember> {
  const { db } = options;
  await readClient(db.knex, client.tenantId, client.clientId);
  const member = memberRecord(options, client, await resolveMember(db.knex, client.tenantId, body));
  await refuseTakenAlias(() =>
    changing(options, client, async (tx) => {
      const standing = await listMembers(tx, client.tenantId, client.clientId);
      if (standing.length >= limits.membersPerClient) throw tooManyMembers(limits.membersPerClient);
      await insertMembers(tx, [member]);
    }),
  );
  return member;
}

/** Replaces all members, or none when one of the new ones is refused. */
export async function replaceMembers(
  options: MemberOptions,
  client: ClientKey,
  bodies: readonly MemberBody[],
): Promise<ClientMember[]> {
  const { db } = options;
  await readClient(db.knex, client.tenantId, client.clientId);
  const members: ClientMember[] = [];
  for (const body of bodies) {
    members.push(memberRecord(options, client, await resolveMember(db.knex, client.tenantId, body)));
  }
  await refuseTakenAlias(() =>
    changing(options, client, async (tx) => {
      await deleteMembers(tx, client.tenantId, client.clientId);
      await insertMembers(tx, members);
    }),
  );
  return members;
}

/** Removes one member; that it was there is not asked. */
export async function removeMember(
  options: MemberOptions,
  client: ClientKey,
  memberId: string,
): Promise<void> {
  await changing(options, client, async (tx) => {
    await deleteMember(tx, client.tenantId, client.clientId, memberId);
  });
}

/** One transaction that begins by touching the client: it must stand, and changes of the same client come one by one. */
async function changing(
  { db, clock }: MemberOptions,
  { tenantId, clientId }: ClientKey,
  change: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await updateClient(tx, tenantId, clientId, { updatedAt: clock.now() }))) throw clientNotFound();
    await change(tx);
  });
}

async function refuseTakenAlias(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    throw isUniqueViolation(error, aliasTaken) ? memberAliasTaken() : error;
  }
}

function memberRecord(
  { clock, ids }: MemberOptions,
  client: ClientKey,
  resolved: ResolvedMember,
): ClientMember {
  return { ...client, id: ids.ulid(), ...resolved, createdAt: clock.now() };
}
