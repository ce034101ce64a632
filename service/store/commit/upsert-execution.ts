import { executions } from '../executions.ts';

/** The columns that change after the insert. */
const changing = ['status', 'error_message', 'failure_kind', 'updated_at', 'completed_at'];

/** Returns the statement that inserts executions or updates their status. `rows` returns its source of rows. */
export function upsertExecution(rows: (columns: readonly string[]) => string): string {
  const columns = executions.fields.map(({ column }) => column);
  return `insert into executions (${columns.join(', ')}) ${rows(columns)}
    on conflict (tenant_id, id) do update set ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}
