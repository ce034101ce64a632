import type { Logger } from 'pino';
import { limits } from '../specs/limits.ts';
import type { Clock } from './clock.ts';
import type { BlobStore } from './store/blob-store.ts';
import type { Database } from './store/database.ts';
import { deleteOldJournals, deleteOldKeys, deleteOldUsage } from './store/retention.ts';

/** Deletes what is kept for a time only (SPEC.md, Limits). Any number of replicas may sweep one database. */
export interface Sweeps {
  /** Sweeps from now on, every minute and every hour. */
  start(): void;
  /** Sweeps everything once. */
  sweep(): Promise<void>;
  /** Ends what is under way, and takes up nothing more. */
  close(): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Days that the usage of a day can be looked up by the operator. */
const usageDays = 7;

export interface SweepOptions {
  db: Database;
  blobs: Pick<BlobStore, 'remove'>;
  clock: Clock;
  logger: Logger;
}

export function createSweeps({ db, blobs, clock, logger }: SweepOptions): Sweeps {
  const timers: NodeJS.Timeout[] = [];
  let running: Promise<unknown> = Promise.resolve();

  const sweepKeys = (): Promise<number> => deleteOldKeys(db.knex, clock.now() - limits.idempotencyWindowMs);
  const sweepHistory = async (): Promise<void> => {
    const now = clock.now();
    const runs = await deleteOldJournals(db.knex, blobs, now - limits.eventRetentionDays * dayMs);
    await deleteOldUsage(db.knex, Math.floor(now / dayMs) - usageDays);
    if (runs > 0) logger.info({ runs }, 'deleted the events of old runs');
  };

  /** One after the other; a sweep that fails is tried again at its next time. */
  const queue = (sweep: () => Promise<unknown>): void => {
    running = running
      .then(sweep)
      .catch((error: unknown) => logger.warn({ err: error }, 'a sweep failed, it will be tried again'));
  };

  return {
    start: () => {
      timers.push(setInterval(() => queue(sweepKeys), minuteMs).unref());
      timers.push(setInterval(() => queue(sweepHistory), hourMs).unref());
    },
    sweep: async () => {
      await sweepKeys();
      await sweepHistory();
    },
    close: async () => {
      for (const timer of timers.splice(0)) clearInterval(timer);
      await running;
    },
  };
}
