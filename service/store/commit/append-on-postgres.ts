import type { ClientBase } from 'pg';
import { type OwnedExecution, ownedExecutions } from '../executions.ts';
import { toRow } from '../table.ts';
import {
  type EndCause,
  type ExecutionEnd,
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

/** Number of the first parameter after those of `appending`. */
export const firstExtra = firstEnd + 12;

/** Appends rows and makes the changes that depend on them, as common table expressions of a statement. `done` has the appended ones. */
export const appending = `
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
    set status = x.status, error_message = x.message, failure_kind = x.kind, failed_node = x.node,
      updated_at = coalesce(x.at, e.updated_at), completed_at = x.completed,
      owner = x.owner, wake_at = x.wake, epoch = coalesce(x.epoch, e.epoch)
    from unnest($${firstEnd}::text[], $${firstEnd + 1}::text[], $${firstEnd + 2}::text[], $${firstEnd + 3}::text[],
      $${firstEnd + 4}::int8[], $${firstEnd + 5}::int8[], $${firstEnd + 6}::text[], $${firstEnd + 7}::int8[],
      $${firstEnd + 8}::int4[], $${firstEnd + 9}::int4[], $${firstEnd + 10}::text[], $${firstEnd + 11}::text[])
      as x(t, e, status, message, at, completed, owner, wake, epoch, by, kind, node)
    join done on done.n = x.by
    where e.tenant_id = x.t and e.id = x.e
  )`;

const text = `with ${appending} select n from done`;

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

/** Returns the parameters of `appending`. */
export function journalValues(operations: readonly RunOperation[]): unknown[] {
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
    changed.map(({ value }) => value.epoch),
    changed.map(({ by }) => by),
    changed.map(({ value }) => value.failureKind),
    changed.map(({ value }) => value.failedNode),
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
    const ended = end && { ...endOf(end), completedAt: operation.at };
    return { value: { ...branch, ...ended, owner: null, wakeAt: null }, by };
  });
}

function endOf({ status, errorMessage, failureKind, failedNode }: ExecutionEnd) {
  return { status, errorMessage, failureKind, failedNode };
}

interface Change extends Pick<ExecutionEnd, 'executionId'>, EndCause {
  tenantId: string;
  status: string;
  /** `null` keeps the time of the last change. */
  at: number | null;
  completedAt: number | null;
  owner: string | null;
  wakeAt: number | null;
  /** `null` keeps the epoch. */
  epoch: number | null;
}

function changesOf(operation: RunOperation, by: number): Dependent<Change>[] {
  if (operation.kind === 'admit') return [];
  const { tenantId, executionId, at, branches, ends, releaseUntil, claim } = operation;
  const unended = { errorMessage: null, failureKind: null, failedNode: null, completedAt: null };
  const run = { tenantId, executionId, status: 'RUNNING', ...unended };
  const opened = new Set(branches.map(({ id }) => id));
  const over = { completedAt: at, owner: null, wakeAt: null, epoch: null };
  const changes: Change[] = ends
    .filter((end) => !opened.has(end.executionId))
    .map((end) => ({ ...end, tenantId, at, ...over }));
  const isOver = changes.some((each) => each.executionId === executionId);
  if (releaseUntil !== undefined) changes.push({ ...run, at, owner: '', wakeAt: releaseUntil, epoch: null });
  else if (claim && !isOver)
    changes.push({ ...run, at: null, owner: claim.replica, wakeAt: null, epoch: null });
  return changes.map((change) => {
    const isRun = change.executionId === executionId;
    return { value: isRun && claim ? { ...change, epoch: claim.epoch } : change, by };
  });
}
