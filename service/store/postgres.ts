import type { Socket } from 'node:net';
import makeKnex, { type Knex } from 'knex';
import type { ClientBase } from 'pg';
import { thrownMessage } from '../errors/thrown-message.ts';
import { UnreachableDatabaseError } from './database-errors.ts';
import { silentKnexLog } from './knex-log.ts';

interface PoolOptions {
  maxConnections: number;
  /**
   * Time in milliseconds after which a connection that has received nothing is closed, and its query fails. TCP
   * keep-alive detects a host that has vanished, but not a stopped proxy or process whose system still acknowledges
   * packets. If absent, no connection is closed.
   */
  silenceMs?: number | undefined;
}

/** Opens a PostgreSQL pool and runs a query, so that a wrong address fails at start. */
export async function openPostgres(url: string, options: PoolOptions): Promise<Knex> {
  const knex = postgresPool(url, options);
  try {
    await knex.raw('select 1');
    return knex;
  } catch (error) {
    await knex.destroy();
    const { host, pathname } = new URL(url);
    const name = pathname.slice(1);
    throw new UnreachableDatabaseError(
      `cannot open the database ${name} at ${host} (${reason(error)}): ${advice(error, name)}`,
      { cause: error },
    );
  }
}

/** Creates a PostgreSQL pool. It connects on first use. */
export function postgresPool(url: string, { maxConnections, silenceMs }: PoolOptions): Knex {
  return makeKnex({
    client: 'pg',
    // Errors contain the statement without its values, which may be sources, snapshots or key hashes.
    compileSqlOnError: false,
    log: silentKnexLog,
    // Without keep-alive, a query never returns if its server has vanished from the network.
    connection: {
      connectionString: url,
      application_name: 'svc',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    },
    pool: {
      min: 0,
      max: maxConnections,
      afterCreate: (connection: ClientBase, done: Done) => {
        if (silenceMs !== undefined) endSilence(connection, silenceMs);
        preferIndexes(connection, done);
      },
    },
    acquireConnectionTimeout: 10_000,
  });
}

/** Returns advice for a database that does not open, by PostgreSQL's error code if it has responded. */
function advice(error: unknown, name: string): string {
  switch ((error as { code?: unknown } | undefined)?.code) {
    case '3D000':
      return `create it with createdb ${name}, or correct its name in SVC_DATABASE_URL`;
    case '28P01':
    case '28000':
      return 'check the user and the password in SVC_DATABASE_URL';
    default:
      return 'check SVC_DATABASE_URL and that PostgreSQL runs there';
  }
}

/**
 * Planner settings to turn off, because svc looks up rows by key. A prepared statement that was planned while its
 * tables were small reads whole tables, and PostgreSQL keeps that plan until it analyzes them: with 30,000 runs, a
 * decision on a pause took 20 ms instead of 3.
 */
const settings = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'];
const settingText = `select ${settings.map((name) => `set_config('${name}', 'off', false)`).join(', ')}`;

type Done = (error: Error | null, connection: ClientBase) => void;

function preferIndexes(connection: ClientBase, done: Done): void {
  connection.query(settingText).then(
    () => done(null, connection),
    (error: unknown) => done(error as Error, connection),
  );
}

/** Closes a silent connection. The pool replaces it. */
function endSilence(connection: ClientBase, silenceMs: number): void {
  const { stream } = (connection as ClientBase & { connection: { stream: Socket } }).connection;
  stream.setTimeout(silenceMs, () => {
    const error = new Error(`PostgreSQL has not answered for ${silenceMs / 1000} seconds`);
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}

function reason(error: unknown): string {
  // A host with several addresses fails with an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return thrownMessage(error);
}
