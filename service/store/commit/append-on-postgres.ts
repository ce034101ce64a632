import type { ClientBase } from 'pg';
import { type OwnedExecution, ownedExecutions } from '../executions.ts';
import { ownedBranch, ownedRun } from './owned-execution.ts';
import { toRow } from '../table.ts';
import {
  type EndCause,
  type ExecutionEnd,
  type RunOperation,
  type RunOutcome,
  tenantOf,
  timeOf,
} from './run-operation.ts';

const executionColumns = ownedExecutions.fields.map(({ column }) => column);
const journalTypes = ['text', 'text', 'int4', 'text', 'int8'];
const changeTypes = ['text', 'text', 'text', 'text', 'text', 'text', 'int8', 'int8', 'text', 'int8', 'int4'];

/** Number of parameters of `appending`. */
export const appendParameters = journalTypes.length + executionColumns.length + changeTypes.length;

/** The parameters from `first` on as arrays. */
function arrays(types: readonly string[], first: number): string {
  return types.map((type, index) => `$${first + index}::${type}[]`).join(', ');
}

/** Appends the journal rows whose `seq` is free. Rows that other replicas may also append are locked in a fixed order. */
const appendRows = `insert into journal (tenant_id, execution_id, seq, body, at)
    select * from unnest(${arrays(journalTypes, 1)}) as r(t, e, s, b, a) order by t, e, s
    on conflict do nothing returning tenant_id, execution_id, seq`;

const insertExecutions = (first: number): string => {
  const types = ownedExecutions.fields.map(({ codec }) => codec.type);
  return `insert into executions (${executionColumns.join(', ')}) select * from unnest(${arrays(types, first)})`;
};

/** Other replicas may change the same executions, so they are locked in a fixed order. */
const changeExecutions = (first: number): string => `update executions e
    set status = x.status, error_message = x.message, failure_kind = x.kind, failed_node = x.node,
      updated_at = coalesce(x.at, e.updated_at), completed_at = x.completed, owner = x.owner, wake_at = x.wake,
      epoch = coalesce(x.epoch, e.epoch)
    from (
      select * from unnest(${arrays(changeTypes, first)})
        as c(t, e, status, message, kind, node, at, completed, owner, wake, epoch) order by t, e
    ) as x
    where e.tenant_id = x.t and e.id = x.e`;

const changes = (first: number): string => `inserted as (
    ${insertExecutions(first)}
  ), ended as (
    ${changeExecutions(first + executionColumns.length)}
  )`;

/**
 * Common table expressions that append rows and change executions. `appended` has the rows whose `seq` was free. The
 * statement must fail if a row is missing from it.
 */
export const appending = `appended as (
    ${appendRows}
  ), ${changes(journalTypes.length + 1)}`;

const changeText = `with ${changes(1)} select 1`;

/** Appends the journal rows whose `seq` is free, and makes their changes to executions, within a transaction. */
export async function appendToJournal(
  connection: ClientBase,
  operations: readonly RunOperation[],
): Promise<RunOutcome[]> {
  if (operations.length === 0) return [];
  const { rows } = await connection.query<{ tenant_id: string; execution_id: string; seq: number }>({
    name: 'svc-append-rows',
    text: appendRows,
    values: rowValues(operations),
  });
  const appended = new Set(rows.map((row) => `${row.tenant_id} ${row.execution_id} ${row.seq}`));
  // If two operations have the same row, the first one is done.
  const isDone = operations.map((each) =>
    appended.delete(`${tenantOf(each)} ${executionOf(each)} ${seqOf(each)}`),
  );
  const values = changeValues(operations.filter((_, index) => isDone[index]));
  await connection.query({ name: 'svc-change-executions', text: changeText, values });
  return isDone.map((done) => ({ kind: done ? 'done' : 'fenced' }));
}

/** Returns the parameters of `appending`. */
export function journalValues(operations: readonly RunOperation[]): unknown[] {
  return [...rowValues(operations), ...changeValues(operations)];
}

function rowValues(operations: readonly RunOperation[]): unknown[] {
  return [
    operations.map(tenantOf),
    operations.map(executionOf),
    operations.map(seqOf),
    operations.map(({ body }) => body),
    operations.map(timeOf),
  ];
}

function changeValues(operations: readonly RunOperation[]): unknown[] {
  const inserted = operations.flatMap(insertsOf).map((value) => toRow(ownedExecutions, value));
  const changed = operations.flatMap(changesOf);
  return [
    ...executionColumns.map((column) => inserted.map((row) => row[column])),
    changed.map(({ tenantId }) => tenantId),
    changed.map(({ executionId }) => executionId),
    changed.map(({ status }) => status),
    changed.map(({ errorMessage }) => errorMessage),
    changed.map(({ failureKind }) => failureKind),
    changed.map(({ failedNode }) => failedNode),
    changed.map(({ at }) => at),
    changed.map(({ completedAt }) => completedAt),
    changed.map(({ owner }) => owner),
    changed.map(({ wakeAt }) => wakeAt),
    changed.map(({ epoch }) => epoch),
  ];
}

function executionOf(operation: RunOperation): string {
  return operation.kind === 'admit' ? operation.execution.id : operation.executionId;
}

function seqOf(operation: RunOperation): number {
  return operation.kind === 'admit' ? (operation.fork?.seq ?? 0) : operation.seq;
}

/** A branch that starts and ends in the same row is inserted as ended, because a statement cannot update its own inserts. */
function insertsOf(operation: RunOperation): OwnedExecution[] {
  if (operation.kind === 'admit') {
    return [ownedRun(operation), ...(operation.fork?.branches ?? []).map(ownedBranch)];
  }
  return operation.branches.map((branch) => {
    const end = operation.ends.find(({ executionId }) => executionId === branch.id);
    const ended = end && { ...endOf(end), completedAt: operation.at };
    return ownedBranch({ ...branch, ...ended });
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

function changesOf(operation: RunOperation): Change[] {
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
    return isRun && claim ? { ...change, epoch: claim.epoch } : change;
  });
}
