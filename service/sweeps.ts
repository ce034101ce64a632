import type { Logger } from 'pino';
import { limits } from '../specs/limits.ts';
import type { Clock } from './clock.ts';
import type { BlobStore } from './objects/blob-store.ts';
import type { Database } from './store/database.ts';
import {
  deleteExpiredLogins,
  deleteOldJournals,
  deleteOldKeys,
  deleteOldStreams,
  deleteOldUsage,
} from './store/retention.ts';
import { removeDeadReplicas } from './store/replicas.ts';

/**
 * Deletes expired data: idempotency keys, logins, split streams, journals with their blobs, daily usage, and the heartbeats of
 * processes that were killed. Replicas may sweep concurrently.
 */
interface Sweeps {
  /**
   * Starts the timers: idempotency keys, logins and split streams every minute, the rest every hour. Each
   * sweep also runs once soon after the start, so that data is deleted even if the process restarts often.
   */
  start(): void;
  /** Deletes all expired data now. */
  sweep(): Promise<void>;
  /** Stops the timers and waits for a running sweep. */
  close(): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Time between the first runs of two sweeps. A starting service has other work to do, and replicas may start
 * together.
 */
const firstRunsMs = 5_000;

/** Number of days for which daily usage is kept for operators. */
const usageDays = 7;

/** Time for readers of a split stream to finish after it has expired. */
const streamReadersMs = 10 * minuteMs;

interface SweepOptions {
  db: Database;
  blobs: Pick<BlobStore, 'remove'>;
  clock: Clock;
  logger: Logger;
  /** Default: 5 seconds. */
  spreadMs?: number;
}

/**
 * Creates sweeps that delete nothing before `start`. Their timers do not keep the process alive. Close them before the database.
 */
export function createSweeps({ db, blobs, clock, logger, spreadMs = firstRunsMs }: SweepOptions): Sweeps {
  const timers: NodeJS.Timeout[] = [];
  let running: Promise<unknown> = Promise.resolve();

  const sweepKeys = (): Promise<number> => deleteOldKeys(db.knex, clock.now() - limits.idempotencyWindowMs);
  const sweepLogins = (): Promise<void> => deleteExpiredLogins(db.knex, clock.now());
  const sweepStreams = (): Promise<void> => deleteOldStreams(db, blobs, clock.now() - streamReadersMs);
  const sweepHistory = async (): Promise<void> => {
    const now = clock.now();
    const runs = await deleteOldJournals(db.knex, blobs, now - limits.eventRetentionDays * dayMs);
    await deleteOldUsage(db.knex, Math.floor(now / dayMs) - usageDays);
    await removeDeadReplicas(db.knex, hourMs);
    if (runs > 0) logger.info({ runs }, 'deleted expired journals');
  };

  const sweeps = [
    { sweep: sweepKeys, everyMs: minuteMs },
    { sweep: sweepLogins, everyMs: minuteMs },
    { sweep: sweepStreams, everyMs: minuteMs },
    { sweep: sweepHistory, everyMs: hourMs },
  ];

  /** Runs one sweep at a time. A failed sweep is repeated on the next timer. */
  const queue = (sweep: () => Promise<unknown>): void => {
    running = running
      .then(sweep)
      .catch((error: unknown) => logger.warn({ err: error }, 'a sweep failed and will be retried'));
  };

  return {
    start: () => {
      for (const [index, { sweep, everyMs }] of sweeps.entries()) {
        const firstMs = spreadMs * (index + 1 + Math.random());
        timers.push(setTimeout(() => queue(sweep), firstMs).unref());
        timers.push(setInterval(() => queue(sweep), everyMs).unref());
      }
    },
    sweep: async () => {
      for (const { sweep } of sweeps) await sweep();
    },
    close: async () => {
      for (const timer of timers.splice(0)) clearTimeout(timer);
      await running;
    },
  };
}
