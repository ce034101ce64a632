import type SqliteConnection from 'better-sqlite3';
import type { Draws } from './invocation-draw.ts';

const statements = new WeakMap<SqliteConnection.Database, ReturnType<typeof prepare>>();

/**
 * Takes as many units of each draw as are left, in one transaction. Returns the units taken, in the order of the draws.
 *
 * The transaction does not wait for the disk, so a call can begin at once. The commit of the call's record also syncs the draw,
 * since both are in one log. If the machine loses power before that, the units of running calls are not counted.
 */
export function grantDrawsOnSqlite(connection: SqliteConnection.Database, all: readonly Draws[]): number[] {
  let prepared = statements.get(connection);
  if (!prepared) statements.set(connection, (prepared = prepare(connection)));
  const { sync, used, put } = prepared;
  const grantAll = connection.transaction(() =>
    all.map(({ tenantId, day, cap, wanted }) => {
      const before = (used.get(tenantId, day) as number | undefined) ?? 0;
      const granted = Math.max(0, Math.min(wanted, cap - before));
      if (granted > 0) put.run(tenantId, day, granted);
      return granted;
    }),
  );
  connection.pragma(`synchronous = ${Math.min(sync, normalSync)}`);
  try {
    return grantAll.immediate();
  } finally {
    connection.pragma(`synchronous = ${sync}`);
  }
}

/** SQLite's number for `normal`: a commit is in the log, and the log is synced later. */
const normalSync = 1;

function prepare(connection: SqliteConnection.Database) {
  return {
    /** The setting for every other commit of the connection. */
    sync: connection.pragma('synchronous', { simple: true }) as number,
    used: connection.prepare('select invocations from daily_usage where tenant_id = ? and day = ?').pluck(),
    put: connection.prepare(
      `insert into daily_usage (tenant_id, day, invocations, executions) values (?, ?, ?, 0)
       on conflict (tenant_id, day) do update set invocations = daily_usage.invocations + excluded.invocations`,
    ),
  };
}
