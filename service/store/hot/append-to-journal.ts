import type { ClientBase } from 'pg';
import { type Execution, executions } from '../executions.ts';
import { toRow } from '../table.ts';
import { executionColumnType } from './execution-column-type.ts';
import { type ExecutionEnd, type RunOperation, type RunOutcome, tenantOf, timeOf } from './run-operation.ts';

/** An execution to insert or to end, with the journal's row that says so: without that row it does not happen. */
interface Because<T> {
  value: T;
  /** Index of the operation. */
  by: number;
}

type InsertedExecution = Execution & { owner: string | null };

const executionColumns = [...executions.fields.map(({ column }) => column), 'owner'];
/** Parameters before those of the inserted executions. */
const journalParameters = 6;
const firstEnd = journalParameters + executionColumns.length + 2;

const insertedColumns = executionColumns.map(
  (column, index) => `$${journalParameters + index + 1}::${executionColumnType(column)}[]`,
);

const text = `
  with rows as (
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
  )
  select n from done`;

/** Appends the rows whose places are free, with the changes of the index that belong to them, by one statement. */
export async function appendToJournal(
  connection: ClientBase,
  operations: readonly RunOperation[],
): Promise<RunOutcome[]> {
  if (operations.length === 0) return [];
  const inserted = operations.flatMap(insertsOf);
  const insertedRows = inserted.map(({ value }) => ({
    ...toRow(executions, value),
    owner: value.owner,
  })) as Record<string, unknown>[];
  const changed = operations.flatMap(changesOf);
  const { rows } = await connection.query<{ n: number }>({
    name: 'svc-append-to-journal',
    text,
    values: [
      operations.map((_, index) => index),
      operations.map(tenantOf),
      operations.map((each) => (each.kind === 'admit' ? each.execution.id : each.executionId)),
      operations.map((each) => (each.kind === 'admit' ? 0 : each.seq)),
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
    ],
  });
  const done = new Set(rows.map(({ n }) => n));
  return operations.map((_, index) => (done.has(index) ? { kind: 'done' } : { kind: 'fenced' }));
}

/** A branch that its own row ends again is inserted as ended: one statement sees no row that it inserts itself. */
function insertsOf(operation: RunOperation, by: number): Because<InsertedExecution>[] {
  if (operation.kind === 'admit') return [{ value: { ...operation.execution, owner: operation.owner }, by }];
  return operation.branches.map((branch) => {
    const end = operation.ends.find(({ executionId }) => executionId === branch.id);
    const ended = end && { status: end.status, errorMessage: end.errorMessage, completedAt: operation.at };
    return { value: { ...branch, ...ended, owner: null }, by };
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

function changesOf(operation: RunOperation, by: number): Because<Change>[] {
  if (operation.kind === 'admit') return [];
  const { tenantId, executionId, at, branches, ends, releaseUntil } = operation;
  const opened = new Set(branches.map(({ id }) => id));
  const changes: Because<Change>[] = ends
    .filter((end) => !opened.has(end.executionId))
    .map((end) => ({ value: { ...end, tenantId, at, completedAt: at, owner: null, wakeAt: null }, by }));
  if (releaseUntil === undefined) return changes;
  const parked = {
    status: 'RUNNING',
    errorMessage: null,
    completedAt: null,
    owner: '',
    wakeAt: releaseUntil,
  };
  return [...changes, { value: { tenantId, executionId, at, ...parked }, by }];
}
