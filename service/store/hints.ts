import type { Knex } from 'knex';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from './database.ts';

/**
 * What replicas tell each other so that nobody has to poll fast: `watched`, somebody waits here for a run that another replica may
 * have; `ended`, a run that somebody watched is over. Hints may be lost, and nothing may rest on them but time.
 */
export type HintTopic = 'watched' | 'ended';

export interface Hints {
  /** Tells all replicas, this one too, within milliseconds; lost while there is no connection. */
  send(topic: HintTopic, executionId: string): void;
  /** Begins to listen, and goes on until closed, however often the connection breaks. */
  start(): void;
  close(): Promise<void>;
}

export interface HintsOptions {
  db: Database;
  logger: Pick<Logger, 'warn'>;
  onHint: (topic: HintTopic, executionId: string) => void;
}

/** So long hints wait for company, milliseconds: a NOTIFY for each would cost the run path a commit for each. */
const gatherMs = 5;
/** PostgreSQL takes less than 8000 bytes in one payload, and an execution id has 32. */
const idsInPayload = 240;
const idCharacters = 32;
/** Longest for a connection to stand; wait before the first and between later tries to connect again, milliseconds. */
const connectMs = 5_000;
const reconnectMs = { first: 50, most: 10_000 };

const channels = { watched: 'svc_run_watched', ended: 'svc_run_ended' } as const;
const topics: readonly HintTopic[] = ['watched', 'ended'];

/** By LISTEN and NOTIFY on one connection of its own; `undefined` on SQLite, which has no such thing. */
export function createHints({ db, logger, onHint }: HintsOptions): Hints | undefined {
  if (db.dialect !== 'postgres') return undefined;
  const connection = (db.knex.client as { config: Knex.Config }).config.connection as pg.ClientConfig;
  const waiting: Record<HintTopic, Set<string>> = { watched: new Set(), ended: new Set() };
  let client: pg.Client | undefined;
  let listening = false;
  let closed = false;
  let gathering: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let delayMs = reconnectMs.first;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
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
      // Hints need not survive a power cut: their commits wait for no disk.
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
        'replicas cannot tell each other of runs, waiting for others takes up to a second',
      );
    }
    reconnecting = setTimeout(() => void connect(), delayMs);
    delayMs = Math.min(delayMs * 2, reconnectMs.most);
  };

  /** One statement at a time: what comes meanwhile goes with the next. */
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
        // A broken connection tells of itself.
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

/** Ids one behind the other, as many as a payload takes. */
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
  // Nobody waits for it.
}
