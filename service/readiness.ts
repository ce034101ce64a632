import type { Logger } from 'pino';
import { thrownMessage } from './errors/thrown-message.ts';
import { inTime } from './in-time.ts';
import { createPolling } from './polling.ts';

/** Checks by name. A check rejects with the reason if its dependency is unavailable. */
type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/**
 * Checks the dependencies of the process in the background, so that probes never trigger a check. A changed result is logged
 * once.
 */
interface Readiness {
  /** Runs every check once, and then repeatedly. */
  start(): Promise<void>;
  /** The latest results by check: `ok`, or the reason. */
  results(): Readonly<Record<string, string>>;
  /** Stops, and waits for running checks. */
  close(): Promise<void>;
}

interface ReadinessOptions {
  checks: ReadinessChecks;
  logger: Logger;
  /** Time from the end of one round of checks to the start of the next. */
  everyMs?: number;
  /** A check that takes longer fails. It is not started again while it is still running. */
  timeoutMs?: number;
}

/** With these times, a failure is visible within eight seconds. */
const defaultEveryMs = 3_000;
const defaultTimeoutMs = 5_000;

/** Creates checks whose results are `not checked yet` until `start`. */
export function createReadiness({
  checks,
  logger,
  everyMs = defaultEveryMs,
  timeoutMs = defaultTimeoutMs,
}: ReadinessOptions): Readiness {
  const results: Record<string, string> = Object.fromEntries(
    Object.keys(checks).map((name) => [name, 'not checked yet']),
  );
  const running = new Map<string, Promise<string>>();

  const run = (name: string, check: () => Promise<void>): Promise<string> => {
    const earlier = running.get(name);
    if (earlier) return earlier;
    const outcome = check()
      .then(() => 'ok', thrownMessage)
      .finally(() => running.delete(name));
    running.set(name, outcome);
    return outcome;
  };

  const checkOne = async ([name, check]: [string, () => Promise<void>]): Promise<void> => {
    const before = results[name];
    const result = (await inTime(run(name, check), timeoutMs)) ?? `no result within ${timeoutMs / 1000} s`;
    results[name] = result;
    if (result === before) return;
    if (result !== 'ok') logger.error({ check: name, reason: result }, 'the process is not ready');
    else if (before !== 'not checked yet') logger.info({ check: name }, 'a check succeeds again');
  };

  const round = async (): Promise<void> => {
    await Promise.all(Object.entries(checks).map(checkOne));
  };

  const rounds = createPolling(everyMs, round, logger);
  return {
    start: () => rounds.start(),
    results: () => ({ ...results }),
    close: async () => {
      await rounds.stop();
      await inTime(Promise.all(running.values()), timeoutMs);
    },
  };
}
