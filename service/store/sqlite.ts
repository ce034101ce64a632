import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type SqliteConnection from 'better-sqlite3';
import makeKnex, { type Knex } from 'knex';
import { UnreachableDatabaseError } from './database-errors.ts';
import { silentKnexLog } from './knex-log.ts';

/** How far a commit goes before it is answered: `full` to the disk, `normal` may lose the last ones in a power cut. */
export type SqliteSync = 'full' | 'normal' | 'off';

/** How long a statement waits for another process (the CLI beside a running service) that writes. */
const busyTimeoutMs = 5_000;

/** Opens the embedded database, a file of the data folder. */
export function openSqlite(dataDir: string, sync: SqliteSync): Knex {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    throw new UnreachableDatabaseError(
      `cannot make the data folder ${dataDir} (${(error as Error).message}): set SVC_DATA_DIR to a folder that svc may write`,
    );
  }
  const knex = makeKnex({
    client: 'better-sqlite3',
    // Errors carry the statement without its values, which may be sources, snapshots and hashes of keys.
    compileSqlOnError: false,
    log: silentKnexLog,
    connection: { filename: join(dataDir, 'svc.db') },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: SqliteConnection.Database, done: (error?: Error) => void) {
        try {
          connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
          connection.pragma('journal_mode = WAL');
          connection.pragma(`synchronous = ${sync}`);
          connection.pragma('foreign_keys = ON');
          done();
        } catch (error) {
          done(error as Error);
        }
      },
    },
  });
  beginImmediately(knex);
  return knex;
}

/** The part of knex's transactions that is not in its types. */
interface Transactions {
  client: {
    transaction(...args: unknown[]): {
      begin(connection: unknown): Promise<unknown>;
      query(connection: unknown, sql: string): Promise<unknown>;
    };
  };
}

/**
 * Transactions take the write lock at their beginning. A deferred one that reads first and writes later fails at once, whatever
 * the busy timeout, when another process wrote in between.
 */
function beginImmediately(knex: Knex): void {
  const { client } = knex as unknown as Transactions;
  const transaction = client.transaction.bind(client);
  client.transaction = (...args) => {
    const made = transaction(...args);
    made.begin = (connection) => made.query(connection, 'BEGIN IMMEDIATE;');
    return made;
  };
}
