import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';
import { appendAtOnce } from './append-at-once-on-postgres.ts';
import { appendToJournal } from './append-on-postgres.ts';
import { type DailyUsage, drawUsage, returnUnits, usageKey } from './daily-usage.ts';
import {
  type Admission,
  dayOf,
  isDrawing,
  type RunOperation,
  type RunOutcome,
  tenantOf,
  timeOf,
  unitsDrawn,
} from './run-operation.ts';
import { refuseClaims } from './claims-on-postgres.ts';
import { endForkedParents } from './forks-on-postgres.ts';
import { storePauses } from './pauses-on-postgres.ts';
import { withPostgresConnection } from '../with-postgres-connection.ts';

/**
 * Commits a batch in one statement over arrays. If that is refused, commits it in a transaction that determines which operations
 * are refused. Rows that other replicas may lock are locked in a fixed order.
 */
export async function commitRunsOnPostgres(
  db: Database,
  batch: readonly RunOperation[],
  windowMs: number,
): Promise<RunOutcome[]> {
  return withPostgresConnection(db, async (connection) => {
    // Mutations, forks and caps on open runs are rare, so the single statements do not support them.
    const rare = batch.some((operation) =>
      operation.kind === 'append' ? operation.mutated : operation.inflight !== undefined || operation.fork,
    );
    if (!rare && (await appendAtOnce(connection, batch, windowMs)))
      return batch.map(() => ({ kind: 'done' }));
    await connection.query('begin');
    try {
      const outcomes = await commitWithDraws(connection, batch, windowMs);
      await connection.query('commit');
      return outcomes;
    } catch (error) {
      await connection.query('rollback');
      throw error;
    }
  });
}

async function commitWithDraws(
  connection: ClientBase,
  batch: readonly RunOperation[],
  windowMs: number,
): Promise<RunOutcome[]> {
  const outcomes: (RunOutcome | undefined)[] = batch.map(() => undefined);
  await refuseClaims(connection, batch, outcomes);
  const open = await countOpenRuns(connection, batch);
  await findDuplicates(connection, batch, windowMs, outcomes);
  const usages = await lockUsages(
    connection,
    batch.filter((_, index) => outcomes[index] === undefined),
  );
  batch.forEach((operation, index) => {
    if (outcomes[index] || !isDrawing(operation)) return;
    const cap = operation.kind === 'admit' && operation.owner !== null ? operation.inflight : undefined;
    const ends = operation.kind === 'admit' && operation.fork?.parent ? 1 : 0;
    const count = (open.get(tenantOf(operation)) ?? 0) - ends;
    if (cap !== undefined && count >= cap) {
      outcomes[index] = { kind: 'over_inflight', cap };
      return;
    }
    const usage = usages.get(keyOfUsage(operation));
    const quota = usage && drawUsage(usage, unitsDrawn(operation), operation.caps);
    if (quota) outcomes[index] = { kind: 'over_quota', quota, cap: operation.caps[quota] };
    else if (cap !== undefined) open.set(tenantOf(operation), count + 1);
  });
  await endForkedParents(connection, batch, outcomes);
  batch.forEach((operation, index) => {
    if (operation.kind === 'admit' && outcomes[index]?.kind === 'fenced') giveBack(usages, operation);
  });
  await returnKeys(connection, batch, outcomes);

  const accepted = batch.flatMap((operation, index) => (outcomes[index] ? [] : [{ operation, index }]));
  const appended = await appendToJournal(
    connection,
    accepted.map(({ operation }) => operation),
  );
  accepted.forEach(({ operation, index }, place) => {
    const outcome = appended[place] ?? { kind: 'fenced' };
    outcomes[index] = outcome;
    if (outcome.kind === 'fenced') giveBack(usages, operation);
  });
  const done = accepted.flatMap(({ operation, index }) =>
    outcomes[index]?.kind === 'done' ? operation : [],
  );
  await storeMutations(connection, done);
  await storePauses(connection, done);
  await storeUsages(connection, usages);
  return outcomes as RunOutcome[];
}

/** Gives back the units that a refused operation drew. */
function giveBack(usages: ReadonlyMap<string, DailyUsage>, operation: RunOperation): void {
  const usage = usages.get(keyOfUsage(operation));
  if (usage) returnUnits(usage, unitsDrawn(operation));
}

async function storeMutations(connection: ClientBase, done: readonly RunOperation[]): Promise<void> {
  for (const operation of done) {
    if (operation.kind === 'admit' || !operation.mutated) continue;
    const { tenantId, executionId, mutated } = operation;
    await connection.query({
      name: 'svc-store-mutation',
      text: 'update executions set mutation_seq = $3 where tenant_id = $1 and id = $2',
      values: [tenantId, executionId, mutated.seq],
    });
  }
}

/**
 * Counts the open runs and live sessions of tenants with a cap. Locks the tenants, so that other replicas admit nothing until the
 * transaction ends.
 */
async function countOpenRuns(
  connection: ClientBase,
  batch: readonly RunOperation[],
): Promise<Map<string, number>> {
  const capped = batch.filter((operation) => operation.kind === 'admit' && operation.inflight !== undefined);
  const tenants = [...new Set(capped.map(tenantOf))];
  if (tenants.length === 0) return new Map();
  await connection.query({
    name: 'svc-lock-tenants',
    text: 'select id from tenants where id = any($1::text[]) order by id for no key update',
    values: [tenants],
  });
  const { rows } = await connection.query<{ tenant_id: string; open: number }>({
    name: 'svc-count-open-runs',
    text: `select tenant_id, count(*)::int4 as open from (
        select tenant_id from executions where owner is not null and tenant_id = any($1::text[])
        union all select tenant_id from live_sessions where tenant_id = any($1::text[])
      ) as slots group by tenant_id`,
    values: [tenants],
  });
  return new Map(rows.map(({ tenant_id, open }) => [tenant_id, open]));
}

/** Takes the idempotency keys of admissions, and finds those that the table or an earlier operation of the batch holds. */
async function findDuplicates(
  connection: ClientBase,
  batch: readonly RunOperation[],
  windowMs: number,
  outcomes: (RunOutcome | undefined)[],
): Promise<void> {
  const firsts = new Map<string, Admission>();
  for (const operation of batch) {
    if (operation.kind === 'admit' && !firsts.has(keyOf(operation))) firsts.set(keyOf(operation), operation);
  }
  if (firsts.size === 0) return;
  const admissions = [...firsts.values()];
  const { rows: taken } = await connection.query<{ tenant_id: string; key_hash: string }>({
    name: 'svc-take-keys',
    text: `insert into idempotency (tenant_id, key_hash, execution_id, created_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::int8[]) as k(t, h, e, c) order by t, h
      on conflict (tenant_id, key_hash) do update
        set execution_id = excluded.execution_id, created_at = excluded.created_at
        where idempotency.created_at <= excluded.created_at - $5
      returning tenant_id, key_hash`,
    values: [...keyColumns(admissions), admissions.map(({ execution }) => execution.createdAt), windowMs],
  });
  const own = new Set(taken.map((row) => `${row.tenant_id} ${row.key_hash}`));
  const refused = admissions.filter((admission) => !own.has(keyOf(admission)));
  const holders = await findKeys(connection, refused);
  batch.forEach((operation, index) => {
    if (operation.kind !== 'admit') return;
    const key = keyOf(operation);
    const first = firsts.get(key) ?? operation;
    const taker = first === operation ? undefined : first.execution.id;
    // The holder is the execution itself if an earlier write of the admission was committed.
    const executionId = own.has(key) ? taker : holders.get(key);
    if (executionId !== undefined) outcomes[index] = { kind: 'duplicate', executionId };
  });
}

async function findKeys(
  connection: ClientBase,
  admissions: readonly Admission[],
): Promise<Map<string, string>> {
  if (admissions.length === 0) return new Map();
  const { rows } = await connection.query<{ tenant_id: string; key_hash: string; execution_id: string }>({
    name: 'svc-find-keys',
    text: `select i.tenant_id, i.key_hash, i.execution_id from idempotency i
      join unnest($1::text[], $2::text[]) as k(t, h) on i.tenant_id = k.t and i.key_hash = k.h`,
    values: keyColumns(admissions).slice(0, 2),
  });
  return new Map(rows.map((row) => [`${row.tenant_id} ${row.key_hash}`, row.execution_id]));
}

/** Deletes the keys of refused admissions, and also refuses the duplicates of these admissions. */
async function returnKeys(
  connection: ClientBase,
  batch: readonly RunOperation[],
  outcomes: (RunOutcome | undefined)[],
): Promise<void> {
  const refused = new Map<string, RunOutcome>();
  const admissions: Admission[] = [];
  batch.forEach((operation, index) => {
    const outcome = outcomes[index];
    if (operation.kind !== 'admit' || !outcome) return;
    if (outcome.kind === 'duplicate' || outcome.kind === 'done') return;
    refused.set(operation.execution.id, outcome);
    admissions.push(operation);
  });
  if (admissions.length === 0) return;
  outcomes.forEach((outcome, index) => {
    const cause = outcome?.kind === 'duplicate' ? refused.get(outcome.executionId) : undefined;
    if (cause) outcomes[index] = cause;
  });
  await connection.query({
    name: 'svc-give-keys-back',
    text: `delete from idempotency i using unnest($1::text[], $2::text[], $3::text[]) as k(t, h, e)
      where i.tenant_id = k.t and i.key_hash = k.h and i.execution_id = k.e`,
    values: keyColumns(admissions),
  });
}

/** Reads the daily usage that the operations draw from, and locks it until the end of the transaction. */
async function lockUsages(
  connection: ClientBase,
  operations: readonly RunOperation[],
): Promise<Map<string, DailyUsage>> {
  const drawing = operations.filter(isDrawing);
  const keys = [...new Set(drawing.map(keyOfUsage))].sort();
  if (keys.length === 0) return new Map();
  const parts = keys.map(partsOfUsageKey);
  const { rows } = await connection.query<{ tenant_id: string; day: number } & DailyUsage>({
    name: 'svc-lock-usages',
    text: `insert into daily_usage (tenant_id, day, invocations, executions)
      select t, d, 0, 0 from unnest($1::text[], $2::int4[]) as k(t, d)
      on conflict (tenant_id, day) do update set invocations = daily_usage.invocations
      returning tenant_id, day, invocations, executions`,
    values: [parts.map(({ tenantId }) => tenantId), parts.map(({ day }) => day)],
  });
  return new Map(
    rows.map(({ tenant_id, day, invocations, executions }) => [
      usageKey(tenant_id, day),
      { invocations, executions },
    ]),
  );
}

async function storeUsages(connection: ClientBase, usages: ReadonlyMap<string, DailyUsage>): Promise<void> {
  if (usages.size === 0) return;
  const rows = [...usages].map(([key, usage]) => ({ ...partsOfUsageKey(key), ...usage }));
  await connection.query({
    name: 'svc-store-usages',
    text: `update daily_usage u set invocations = k.i, executions = k.e
      from unnest($1::text[], $2::int4[], $3::int4[], $4::int4[]) as k(t, d, i, e)
      where u.tenant_id = k.t and u.day = k.d`,
    values: [
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ day }) => day),
      rows.map(({ invocations }) => invocations),
      rows.map(({ executions }) => executions),
    ],
  });
}

function keyColumns(admissions: readonly Admission[]): [string[], string[], string[]] {
  return [
    admissions.map(({ execution }) => execution.tenantId),
    admissions.map(({ keyHash }) => keyHash),
    admissions.map(({ execution }) => execution.id),
  ];
}

function keyOf({ execution, keyHash }: Admission): string {
  return `${execution.tenantId} ${keyHash}`;
}

function keyOfUsage(operation: RunOperation): string {
  return usageKey(tenantOf(operation), dayOf(timeOf(operation)));
}

function partsOfUsageKey(key: string): { tenantId: string; day: number } {
  const space = key.indexOf(' ');
  return { day: Number(key.slice(0, space)), tenantId: key.slice(space + 1) };
}
