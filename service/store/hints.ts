import type { Knex } from 'knex';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from './database.ts';

/**
 * Notifications between replicas, so that none has to poll frequently. `watched`: a request on this replica waits for
 * a run of another replica. `ended`: a watched run has ended. `followed`: a client of this replica follows a run or a
 * topic. `stored`: a followed run or topic has new events. Hints may be lost, so use them only to reduce latency.
 */
export type HintTopic = 'watched' | 'ended' | 'followed' | 'stored';

/** Sends and receives hints, over PostgreSQL. A replica also receives its own. */
export interface Hints {
  /** Sends a hint to all replicas, including this one, within milliseconds. Drops it if there is no connection. */
  send(topic: HintTopic, executionId: string): void;
  /** Starts to listen, and reconnects until closed. */
  start(): void;
  /** Sends pending hints, and stops listening. */
  close(): Promise<void>;
}

interface HintsOptions {
  db: Database;
  logger: Pick<Logger, 'warn'>;
  onHint: (topic: HintTopic, executionId: string) => void;
}

/** How long hints are batched, in milliseconds. Without batching, each hint would cost the commit of a NOTIFY. */
const gatherMs = 5;
/** PostgreSQL limits a payload to less than 8000 bytes, and an execution id takes 32. */
const idsInPayload = 240;
const idCharacters = 32;
/** Timeout of a connection attempt, and delays between attempts, in milliseconds. */
const connectMs = 5_000;
const reconnectMs = { first: 50, max: 10_000 };

const channels = {
  watched: 'svc_run_watched',
  ended: 'svc_run_ended',
  followed: 'svc_run_followed',
  stored: 'svc_run_stored',
} as const;
const topics: readonly HintTopic[] = ['watched', 'ended', 'followed', 'stored'];

/** Uses LISTEN and NOTIFY on its own connection. Returns `undefined` on SQLite, which has no notifications. */
export function createHints({ db, logger, onHint }: HintsOptions): Hints | undefined {
  if (db.dialect !== 'postgres') return undefined;
  const connection = (db.knex.client as { config: Knex.Config }).config.connection as pg.ClientConfig;
  const waiting: Record<HintTopic, Set<string>> = {
    watched: new Set(),
    ended: new Set(),
    followed: new Set(),
    stored: new Set(),
  };
  let client: pg.Client | undefined;
  let listening = false;
  let closed = false;
  let gathering: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let delayMs = reconnectMs.first;

  const connect = async (): Promise<void> => {
    // A service on SQLite starts without the driver.
    const { Client } = await import('pg');
    if (closed) return;
    const next = new Client({
      ...connection,
      application_name: 'svc hints',
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    });
    client = next;
    next.on('notification', ({ channel, payload = '' }) => {
      const topic = topics.find((each) => channels[each] === channel);
      if (topic) for (const id of idsOf(payload)) onHint(topic, id);
    });
    next.on('error', (error) => lost(next, error));
    next.on('end', () => lost(next));
    try {
      await next.connect();
      // Hints need not survive a crash, so their commits do not wait for the disk.
      await next.query(
        `set synchronous_commit = off; ${topics.map((topic) => `listen ${channels[topic]}`).join('; ')}`,
      );
      if (client !== next) return;
      listening = true;
      delayMs = reconnectMs.first;
    } catch (error) {
      lost(next, error);
    }
  };

  const lost = (which: pg.Client, error?: unknown): void => {
    if (client !== which || closed) return;
    client = undefined;
    listening = false;
    void which.end().catch(noop);
    if (delayMs > reconnectMs.first) {
      logger.warn(
        { err: error },
        'hints between replicas are unavailable, waiting for and following runs of other replicas takes up to a second longer',
      );
    }
    reconnecting = setTimeout(() => void connect(), delayMs);
    delayMs = Math.min(delayMs * 2, reconnectMs.max);
  };

  /** Sends one statement at a time. Hints that arrive in the meantime share the next one. */
  const flush = (): Promise<void> => {
    gathering = undefined;
    sending ??= notify().finally(() => (sending = undefined));
    return sending;
  };

  const notify = async (): Promise<void> => {
    while (topics.some((topic) => waiting[topic].size > 0)) {
      const payloads = topics.flatMap((topic) =>
        payloadsOf(waiting[topic]).map((payload) => ({ channel: channels[topic], payload })),
      );
      for (const topic of topics) waiting[topic].clear();
      if (!client || !listening) return;
      await client
        .query(
          'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as t(channel, payload)',
          [payloads.map(({ channel }) => channel), payloads.map(({ payload }) => payload)],
        )
        // The `error` and `end` events handle a broken connection.
        .catch(noop);
    }
  };

  return {
    send: (topic, executionId) => {
      if (!listening || closed) return;
      waiting[topic].add(executionId);
      gathering ??= setTimeout(() => void flush(), gatherMs);
    },
    start: () => void connect(),
    close: async () => {
      if (closed) return;
      clearTimeout(gathering);
      await flush();
      closed = true;
      clearTimeout(reconnecting);
      await client?.end().catch(noop);
    },
  };
}

/** Joins the ids to payloads of at most `idsInPayload`. */
function payloadsOf(ids: ReadonlySet<string>): string[] {
  const all = [...ids];
  return Array.from({ length: Math.ceil(all.length / idsInPayload) }, (_, index) =>
    all.slice(index * idsInPayload, (index + 1) * idsInPayload).join(''),
  );
}

function idsOf(payload: string): string[] {
  return payload.match(new RegExp(`.{${idCharacters}}`, 'g')) ?? [];
}

function noop(): void {
  // Errors are handled elsewhere.
}
