import { limits } from '../../specs/limits.ts';
import type { MemberBody } from '../../specs/operations/client-shapes.ts';
import type { Clock } from '../clock.ts';
import {
  clientNotFound,
  memberAliasTaken,
  memberNotResolved,
  memberToReplace,
  tooManyMembers,
} from '../errors/client-errors.ts';
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
import { versionsOfNodes } from '../store/nodes.ts';
import { holdVersions } from '../store/version-deletion.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { otherVersion } from './other-version.ts';
import { readClient } from './read-client.ts';
import { type LatestVersions, resolveMember, type ResolvedMember } from './resolve-member.ts';

interface MemberOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
}

/** Identifies the client of a tenant. */
interface ClientKey {
  tenantId: string;
  clientId: string;
}

/** Adds a member and pins its version. */
export async function addMember(
  options: MemberOptions,
  client: ClientKey,
  body: MemberBody,
): Promise<ClientMember> {
  const { db } = options;
  await readClient(db.knex, client.tenantId, client.clientId);
  const member = memberRecord(options, client, await resolveMember(db.knex, client.tenantId, body));
  const add = async (tx: Tx): Promise<void> => {
    const current = await listMembers(tx, client.tenantId, client.clientId);
    if (current.length >= limits.membersPerClient) throw tooManyMembers(limits.membersPerClient);
    await insertPinned(tx, [member]);
  };
  await refuseTakenAlias(
    () => changeClient(options, client, add),
    () => otherVersion(db.knex, member),
  );
  return member;
}

/** Replaces all members. If one of the new members is refused, changes nothing. */
export async function replaceMembers(
  options: MemberOptions,
  client: ClientKey,
  bodies: readonly MemberBody[],
): Promise<ClientMember[]> {
  const { db } = options;
  await readClient(db.knex, client.tenantId, client.clientId);
  const members: ClientMember[] = [];
  const latest: LatestVersions = new Map();
  for (const body of bodies) {
    // SQLite responds synchronously, so the whole loop would run in one turn of the event loop.
    await loopTurns.yieldIfSpent();
    members.push(memberRecord(options, client, await resolveMember(db.knex, client.tenantId, body, latest)));
  }
  await refuseTakenAlias(() =>
    changeClient(options, client, async (tx) => {
      await deleteMembers(tx, client.tenantId, client.clientId);
      await insertPinned(tx, members);
    }),
  );
  return members;
}

/** Stores members, unless the package version of one was deleted since it was resolved. */
async function insertPinned(tx: Tx, members: readonly ClientMember[]): Promise<void> {
  const ulids = new Set(members.flatMap(({ nodeUlid }) => nodeUlid ?? []));
  const { versions, nodes } = await versionsOfNodes(tx, [...ulids]);
  const held = await holdVersions(tx, versions);
  if (nodes < ulids.size || held.size < versions.length) throw memberNotResolved('package version');
  await insertMembers(tx, members);
}

/** Removes a member. Succeeds if there is no such member. */
export async function removeMember(
  options: MemberOptions,
  client: ClientKey,
  memberId: string,
): Promise<void> {
  await changeClient(options, client, async (tx) => {
    await deleteMember(tx, client.tenantId, client.clientId, memberId);
  });
}

/** Runs `change` in a transaction that locks the client, so that concurrent changes of a client run one after the other. */
async function changeClient(
  { db, clock }: MemberOptions,
  { tenantId, clientId }: ClientKey,
  change: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await updateClient(tx, tenantId, clientId, { updatedAt: clock.now() }))) throw clientNotFound();
    await change(tx);
  });
}

/** @param findHolder describes the member that has the alias, if it is another version of the new one */
async function refuseTakenAlias(
  change: () => Promise<void>,
  findHolder: () => Promise<{ alias: string; holder: string } | undefined> = () => Promise.resolve(undefined),
): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!isUniqueViolation(error, aliasTaken)) throw error;
    const found = await findHolder();
    throw found ? memberToReplace(found.alias, found.holder) : memberAliasTaken();
  }
}

function memberRecord(
  { clock, ids }: MemberOptions,
  client: ClientKey,
  resolved: ResolvedMember,
): ClientMember {
  return { ...client, id: ids.ulid(), ...resolved, createdAt: clock.now() };
}
