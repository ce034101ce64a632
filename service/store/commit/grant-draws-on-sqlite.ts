import type SqliteConnection from 'better-sqlite3';
import type { Draws } from './invocation-draw.ts';

const statements = new WeakMap<SqliteConnection.Database, ReturnType<typeof prepare>>();

/** Takes as many units of each draw as are left, in one transaction. Returns the units taken, in the order of the draws. */
export function grantDrawsOnSqlite(connection: SqliteConnection.Database, all: readonly Draws[]): number[] {
  let prepared = statements.get(connection);
  if (!prepared) statements.set(connection, (prepared = prepare(connection)));
  const { used, put } = prepared;
  const grantAll = connection.transaction(() =>
    all.map(({ tenantId, day, cap, wanted }) => {
      const before = (used.get(tenantId, day) as number | undefined) ?? 0;
      const granted = Math.max(0, Math.min(wanted, cap - before));
      if (granted > 0) put.run(tenantId, day, granted);
      return granted;
    }),
  );
  return grantAll.immediate();
}

function prepare(connection: SqliteConnection.Database) {
  return {
    used: connection.prepare('select invocations from daily_usage where tenant_id = ? and day = ?').pluck(),
    put: connection.prepare(
      `insert into daily_usage (tenant_id, day, invocations, executions) values (?, ?, ?, 0)
       on conflict (tenant_id, day) do update set invocations = daily_usage.invocations + excluded.invocations`,
    ),
  };
}
