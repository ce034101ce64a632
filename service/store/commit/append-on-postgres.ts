import type { ClientBase } from 'pg';
import { type OwnedExecution, ownedExecutions } from '../executions.ts';
import { toRow } from '../table.ts';
import {
  type DailyCaps,
  dayOf,
  type ExecutionEnd,
  executionsDrawn,
  type RunOperation,
  type RunOutcome,
  tenantOf,
  timeOf,
} from './run-operation.ts';

/** A change that depends on a journal row: it is made only if the row is appended. */
interface Dependent<T> {
  value: T;
  /** Index of the operation that appends the row. */
  by: number;
}

const executionColumns = ownedExecutions.fields.map(({ column }) => column);
/** Number of parameters before those of the inserted executions. */
const journalParameters = 6;
const firstEnd = journalParameters + executionColumns.length + 2;

const insertedColumns = ownedExecutions.fields.map(
  ({ codec }, index) => `$${journalParameters + index + 1}::${codec.type}[]`,
);

/** Number of the first parameter after those of the journal. */
const firstExtra = firstEnd + 9;

const appending = `
  rows as (
    select * from unnest($1::int4[], $2::text[], $3::text[], $4::int4[], $5::text[], $6::int8[]) as r(n, t, e, s, b, a)
  ), appended as (
    insert into journal (tenant_id, execution_id, seq, body, at) select t, e, s, b, a from rows order by t, e, s
    on conflict do nothing returning tenant_id, execution_id, seq
  ), done as (
    select r.n from rows r join appended a on a.tenant_id = r.t and a.execution_id = r.e and a.seq = r.s
  ), inserted as (
    insert into executions (${executionColumns.join(', ')})
    select ${executionColumns.map((column) => `x.${column}`).join(', ')}
    from unnest(${insertedColumns.join(', ')}, $${firstEnd - 1}::int4[]) as x(${executionColumns.join(', ')}, by)
    join done on done.n = x.by
  ), ended as (
    update executions e
    set status = x.status, error_message = x.message, updated_at = x.at, completed_at = x.completed,
      owner = x.owner, wake_at = x.wake
    from unnest($${firstEnd}::text[], $${firstEnd + 1}::text[], $${firstEnd + 2}::text[], $${firstEnd + 3}::text[],
      $${firstEnd + 4}::int8[], $${firstEnd + 5}::int8[], $${firstEnd + 6}::text[], $${firstEnd + 7}::int8[],
      $${firstEnd + 8}::int4[]) as x(t, e, status, message, at, completed, owner, wake, by)
    join done on done.n = x.by
    where e.tenant_id = x.t and e.id = x.e
  )`;

const text = `with ${appending} select n from done`;

/**
 * The same, and takes idempotency keys and draws from quotas. All or nothing: if a key is taken, a cap is exceeded or a journal
 * row exists, the statement divides by zero, which rolls it back.
 */
const drawingText = `
  with ${appending}, keys as (
    insert into idempotency (tenant_id, key_hash, execution_id, created_at)
    select * from unnest($${firstExtra}::text[], $${firstExtra + 1}::text[], $${firstExtra + 2}::text[],
      $${firstExtra + 3}::int8[]) as k(t, h, e, c) order by t, h
    on conflict (tenant_id, key_hash) do update
      set execution_id = excluded.execution_id, created_at = excluded.created_at
      where idempotency.created_at <= excluded.created_at - $${firstExtra + 4}::int8
    returning 1
  ), wanted as (
    select * from unnest($${firstExtra + 5}::text[], $${firstExtra + 6}::int4[], $${firstExtra + 7}::int4[],
      $${firstExtra + 8}::int4[], $${firstExtra + 9}::int4[], $${firstExtra + 10}::int4[]) as w(t, d, i, e, ci, ce)
  ), used as (
    insert into daily_usage (tenant_id, day, invocations, executions) select t, d, i, e from wanted order by d, t
    on conflict (tenant_id, day) do update set invocations = daily_usage.invocations + excluded.invocations,
      executions = daily_usage.executions + excluded.executions
    returning tenant_id, day, invocations, executions
  )
  select 1 / (case when (select count(*) from done) < $${firstExtra + 11}::int4
    or (select count(*) from keys) < $${firstExtra + 12}::int4
    or exists (select 1 from used u join wanted w on u.tenant_id = w.t and u.day = w.d
      where u.invocations > w.ci or u.executions > w.ce)
    then 0 else 1 end)`;

/** Appends the journal rows whose `seq` is free, and makes the changes that depend on them, in one statement. */
export async function appendToJournal(
  connection: ClientBase,
  operations: readonly RunOperation[],
): Promise<RunOutcome[]> {
  if (operations.length === 0) return [];
  const { rows } = await connection.query<{ n: number }>({
    name: 'svc-append-to-journal',
    text,
    values: journalValues(operations),
  });
  const done = new Set(rows.map(({ n }) => n));
  return operations.map((_, index) => (done.has(index) ? { kind: 'done' } : { kind: 'fenced' }));
}

/**
 * Appends operations that take idempotency keys and draw from quotas, in one statement.
 *
 * @returns false if any of them is refused. Then nothing is written.
 */
export async function appendWithDraws(
  connection: ClientBase,
  operations: readonly RunOperation[],
  windowMs: number,
): Promise<boolean> {
  const admissions = operations.filter((operation) => operation.kind === 'admit');
  const draws = drawsOf(operations);
  try {
    await connection.query({
      name: 'svc-append-at-once',
      text: drawingText,
      values: [
        ...journalValues(operations),
        admissions.map(({ execution }) => execution.tenantId),
        admissions.map(({ keyHash }) => keyHash),
        admissions.map(({ execution }) => execution.id),
        admissions.map(({ execution }) => execution.createdAt),
        windowMs,
        draws.map(({ tenantId }) => tenantId),
        draws.map(({ day }) => day),
        draws.map(({ invocations }) => invocations),
        draws.map(({ executions: drawn }) => drawn),
        draws.map(({ caps }) => caps.invocations),
        draws.map(({ caps }) => caps.executions),
        operations.length,
        admissions.length,
      ],
    });
    return true;
  } catch (error) {
    // division_by_zero, or cardinality_violation: two admissions with the same key.
    const { code } = error as { code?: unknown };
    if (code === '22012' || code === '21000') return false;
    throw error;
  }
}

interface Draw {
  tenantId: string;
  day: number;
  invocations: number;
  executions: number;
  caps: DailyCaps;
}

/** PostgreSQL's largest int4, for a quota that is not drawn from and may already be exceeded. */
const unlimited = 2_147_483_647;

/** Sums the draws by tenant and day. */
function drawsOf(operations: readonly RunOperation[]): Draw[] {
  const draws = new Map<string, Draw>();
  for (const operation of operations) {
    const drawn = executionsDrawn(operation);
    if (drawn === 0) continue;
    const tenantId = tenantOf(operation);
    const day = dayOf(timeOf(operation));
    const key = `${day} ${tenantId}`;
    let draw = draws.get(key);
    if (!draw) {
      const caps = { invocations: unlimited, executions: unlimited };
      draws.set(key, (draw = { tenantId, day, invocations: 0, executions: 0, caps }));
    }
    draw.executions += drawn;
    draw.caps.executions = Math.min(draw.caps.executions, operation.caps.executions);
    if (operation.kind !== 'admit') continue;
    draw.invocations += 1;
    draw.caps.invocations = Math.min(draw.caps.invocations, operation.caps.invocations);
  }
  return [...draws.values()];
}

function journalValues(operations: readonly RunOperation[]): unknown[] {
  const inserted = operations.flatMap(insertsOf);
  const insertedRows = inserted.map(({ value }) => toRow(ownedExecutions, value));
  const changed = operations.flatMap(changesOf);
  return [
    operations.map((_, index) => index),
    operations.map(tenantOf),
    operations.map((each) => (each.kind === 'admit' ? each.execution.id : each.executionId)),
    operations.map((each) => (each.kind === 'admit' ? (each.fork?.seq ?? 0) : each.seq)),
    operations.map(({ body }) => body),
    operations.map(timeOf),
    ...executionColumns.map((column) => insertedRows.map((row) => row[column])),
    inserted.map(({ by }) => by),
    changed.map(({ value }) => value.tenantId),
    changed.map(({ value }) => value.executionId),
    changed.map(({ value }) => value.status),
    changed.map(({ value }) => value.errorMessage),
    changed.map(({ value }) => value.at),
    changed.map(({ value }) => value.completedAt),
    changed.map(({ value }) => value.owner),
    changed.map(({ value }) => value.wakeAt),
    changed.map(({ by }) => by),
  ];
}

/** A branch that starts and ends in the same row is inserted as ended, because a statement cannot update its own inserts. */
function insertsOf(operation: RunOperation, by: number): Dependent<OwnedExecution>[] {
  if (operation.kind === 'admit') {
    const { execution, owner, fork } = operation;
    const run = { ...execution, owner, wakeAt: fork?.releaseUntil ?? null };
    const branches = (fork?.branches ?? []).map((branch) => ({ ...branch, owner: null, wakeAt: null }));
    return [run, ...branches].map((value) => ({ value, by }));
  }
  return operation.branches.map((branch) => {
    const end = operation.ends.find(({ executionId }) => executionId === branch.id);
    const ended = end && { status: end.status, errorMessage: end.errorMessage, completedAt: operation.at };
    return { value: { ...branch, ...ended, owner: null, wakeAt: null }, by };
  });
}

interface Change extends Pick<ExecutionEnd, 'executionId' | 'errorMessage'> {
  tenantId: string;
  status: string;
  at: number;
  completedAt: number | null;
  owner: string | null;
  wakeAt: number | null;
}

function changesOf(operation: RunOperation, by: number): Dependent<Change>[] {
  if (operation.kind === 'admit') return [];
  const { tenantId, executionId, at, branches, ends, releaseUntil } = operation;
  const opened = new Set(branches.map(({ id }) => id));
  const changes: Dependent<Change>[] = ends
    .filter((end) => !opened.has(end.executionId))
    .map((end) => ({ value: { ...end, tenantId, at, completedAt: at, owner: null, wakeAt: null }, by }));
  if (releaseUntil === undefined) return changes;
  const released = {
    status: 'RUNNING',
    errorMessage: null,
    completedAt: null,
    owner: '',
    wakeAt: releaseUntil,
  };
  return [...changes, { value: { tenantId, executionId, at, ...released }, by }];
}
