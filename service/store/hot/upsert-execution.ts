import { executions } from '../executions.ts';

/** What changes in an execution's life. */
const changing = ['status', 'error_message', 'updated_at', 'completed_at'];

/** The statement that inserts an execution or brings it up to date; `rows` gives its values in the order of the columns. */
export function upsertExecution(rows: (columns: readonly string[]) => string): string {
  const columns = executions.fields.map(({ column }) => column);
  return `insert into executions (${columns.join(', ')}) ${rows(columns)}
    on conflict (tenant_id, id) do update set ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}
