import type { ClientBase } from 'pg';
import { pauses as pauseTable } from '../pauses.ts';
import { toRow } from '../table.ts';
import { type PauseChanges, type RunOperation, tenantOf } from './run-operation.ts';

const columns = pauseTable.fields.map(({ column }) => column);
const columnArrays = pauseTable.fields.map(({ codec }, index) => `$${index + 1}::${codec.type}[]`);

/** Stores the changes that committed transitions make to pauses. They come before new ones, because a run has one waiting pause at a time. */
export async function storePauses(connection: ClientBase, done: readonly RunOperation[]): Promise<void> {
  const changes = done.flatMap((operation) =>
    pausesOf(operation).map((pauses) => ({ ...pauses, tenantId: tenantOf(operation) })),
  );
  const changed = changes.flatMap(({ tenantId, changed: all }) =>
    all.map((change) => ({ ...change, tenantId })),
  );
  if (changed.length > 0) {
    await connection.query({
      name: 'svc-change-pauses',
      text: `update pauses p set status = k.status, resumed_at = coalesce(k.resumed, p.resumed_at),
          escalated_at = coalesce(k.escalated, p.escalated_at), decision_id = coalesce(k.decision, p.decision_id),
          resumed_by = coalesce(k.by, p.resumed_by),
          resume_value = coalesce(k.value, p.resume_value)
        from unnest($1::text[], $2::text[], $3::text[], $4::int8[], $5::int8[], $6::text[], $7::text[],
          $8::text[]) as k(t, id, status, resumed, escalated, decision, by, value)
        where p.tenant_id = k.t and p.id = k.id`,
      values: [
        changed.map(({ tenantId }) => tenantId),
        changed.map(({ id }) => id),
        changed.map(({ status }) => status),
        changed.map(({ resumedAt }) => resumedAt),
        changed.map(({ escalatedAt }) => escalatedAt),
        changed.map(({ decisionId }) => decisionId),
        changed.map(({ resumedBy }) => resumedBy),
        changed.map(({ resumeValue }) => resumeValue),
      ],
    });
  }
  const opened = changes.flatMap(({ opened: all }) => all).map((pause) => toRow(pauseTable, pause));
  if (opened.length === 0) return;
  await connection.query({
    name: 'svc-open-pauses',
    text: `insert into pauses (${columns.join(', ')}) select * from unnest(${columnArrays.join(', ')})`,
    values: columns.map((column) => opened.map((row) => row[column])),
  });
}

function pausesOf(operation: RunOperation): PauseChanges[] {
  const { pauses, parent } =
    operation.kind === 'admit' ? (operation.fork ?? {}) : { ...operation, parent: undefined };
  return [parent?.pauses, pauses].filter((each) => each !== undefined);
}
