import type { Logger } from 'pino';
import { type Clock, systemClock } from '../clock.ts';
import { isPostgres, type Tx } from './database.ts';

/** Maximum difference that is not corrected, so that times do not go back by the duration of a query. */
const toleratedMs = 250;

/** Minimum difference of the system's clock that is logged. */
const loggedMs = 5_000;

interface DatabaseClockOptions {
  /** Of PostgreSQL. */
  tx: Tx;
  logger: Pick<Logger, 'warn'>;
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number;
  /** The clock of this machine. */
  system?: Clock;
}

/**
 * The time of the database, which all replicas share. The clocks of their machines may differ: a replica whose clock
 * is ahead would delete idempotency keys, pauses and history that the others still need. Between two comparisons, the
 * clock advances monotonically from the last one, so it is not affected by changes of the system's clock.
 */
export class DatabaseClock implements Clock {
  readonly #tx: Tx;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #elapsed: () => number;
  readonly #system: Clock;
  /** Time of the database minus elapsed time. */
  #origin = 0;
  /** The difference of the system's clock that was logged last. */
  #logged = 0;

  private constructor({
    tx,
    logger,
    elapsed = () => performance.now(),
    system = systemClock,
  }: DatabaseClockOptions) {
    this.#tx = tx;
    this.#logger = logger;
    this.#elapsed = elapsed;
    this.#system = system;
  }

  /** Creates a clock and compares it with the database. */
  static async start(options: DatabaseClockOptions): Promise<DatabaseClock> {
    const clock = new DatabaseClock(options);
    await clock.compare();
    return clock;
  }

  now(): number {
    return Math.round(this.#origin + this.#elapsed());
  }

  /** Adjusts the clock to the database, and logs if the clock of this machine differs from it. */
  async compare(): Promise<void> {
    const before = this.#elapsed();
    const time = await databaseTime(this.#tx);
    const after = this.#elapsed();
    const origin = time - (before + after) / 2;
    // The database read its clock some time between the two.
    const toleratedDifference = toleratedMs + (after - before) / 2;
    if (Math.abs(origin - this.#origin) > toleratedDifference) this.#origin = origin;
    this.#logDifference();
  }

  #logDifference(): void {
    const differenceMs = this.#system.now() - this.now();
    const isSmall = Math.abs(differenceMs) < loggedMs;
    if (!isSmall && Math.abs(differenceMs - this.#logged) < loggedMs) return;
    this.#logged = isSmall ? 0 : differenceMs;
    if (isSmall) return;
    const seconds = Math.round(differenceMs / 1_000);
    this.#logger.warn(
      { seconds },
      "the clock of this machine differs from the database's, which the service uses: synchronize it (NTP)",
    );
  }
}

async function databaseTime(tx: Tx): Promise<number> {
  const row = await tx.first<{ time: unknown }>(tx.raw(`${databaseNow(tx)} as time`));
  return Number(row.time);
}

/** SQL for the time of the database, in epoch milliseconds. */
export function databaseNow(tx: Tx): string {
  return isPostgres(tx)
    ? '(extract(epoch from clock_timestamp()) * 1000)::int8'
    : "cast(unixepoch('subsec') * 1000 as integer)";
}
