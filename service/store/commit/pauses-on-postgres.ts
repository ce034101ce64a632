import type { ClientBase } from 'pg';
import { pauses as pauseTable } from '../pauses.ts';
import { toRow } from '../table.ts';
import { type PauseChanges, type RunOperation, tenantOf } from './run-operation.ts';

const columns = pauseTable.fields.map(({ column }) => column);

/** Number of parameters of `changingPauses`. */
export const changeParameters = 8;

/** Returns the statement that changes pauses, with parameters from `first` on. */
export function changingPauses(first: number): string {
  const types = ['text', 'text', 'text', 'int8', 'int8', 'text', 'text', 'text'];
  const arrays = types.map((type, index) => `$${first + index}::${type}[]`);
  return `update pauses p set status = k.status, resumed_at = coalesce(k.resumed, p.resumed_at),
      escalated_at = coalesce(k.escalated, p.escalated_at), decision_id = coalesce(k.decision, p.decision_id),
      resumed_by = coalesce(k.by, p.resumed_by), resume_value = coalesce(k.value, p.resume_value)
    from unnest(${arrays.join(', ')}) as k(t, id, status, resumed, escalated, decision, by, value)
    where p.tenant_id = k.t and p.id = k.id`;
}

/** Returns the statement that adds pauses, with parameters from `first` on. */
export function openingPauses(first: number): string {
  const arrays = pauseTable.fields.map(({ codec }, index) => `$${first + index}::${codec.type}[]`);
  return `insert into pauses (${columns.join(', ')}) select * from unnest(${arrays.join(', ')})`;
}

const changeText = changingPauses(1);
const openText = openingPauses(1);

/** Returns the parameters of `changingPauses`, followed by the parameters of `openingPauses`. */
export function pauseValues(operations: readonly RunOperation[]): unknown[][] {
  const all = operations.flatMap((operation) =>
    pausesOf(operation).map((pauses) => ({ ...pauses, tenantId: tenantOf(operation) })),
  );
  const changed = all.flatMap((each) =>
    each.changed.map((change) => ({ ...change, tenantId: each.tenantId })),
  );
  const opened = all.flatMap((each) => each.opened).map((pause) => toRow(pauseTable, pause));
  return [
    changed.map(({ tenantId }) => tenantId),
    changed.map(({ id }) => id),
    changed.map(({ status }) => status),
    changed.map(({ resumedAt }) => resumedAt),
    changed.map(({ escalatedAt }) => escalatedAt),
    changed.map(({ decisionId }) => decisionId),
    changed.map(({ resumedBy }) => resumedBy),
    changed.map(({ resumeValue }) => resumeValue),
    ...columns.map((column) => opened.map((row) => row[column])),
  ];
}

/**
 * Stores the changes that committed operations make to pauses. Changes come before new pauses, because a run has at
 * most one pending pause.
 */
export async function storePauses(connection: ClientBase, done: readonly RunOperation[]): Promise<void> {
  const values = pauseValues(done);
  const changed = values.slice(0, changeParameters);
  const opened = values.slice(changeParameters);
  if (changed[0]?.length) {
    await connection.query({ name: 'svc-change-pauses', text: changeText, values: changed });
  }
  if (opened[0]?.length) {
    await connection.query({ name: 'svc-open-pauses', text: openText, values: opened });
  }
}

function pausesOf(operation: RunOperation): PauseChanges[] {
  const { pauses, parent } =
    operation.kind === 'admit' ? (operation.fork ?? {}) : { ...operation, parent: undefined };
  return [parent?.pauses, pauses].filter((each) => each !== undefined);
}
