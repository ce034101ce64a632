import type { Logger } from 'pino';

/** Repeats a task, one run at a time. A failed run is logged, and polling continues. */
export interface Polling {
  /** Runs the task once, then starts the timer. Rejects if that first run fails. */
  start(): Promise<void>;
  /** Waits for the run in progress, and starts no further runs. */
  stop(): Promise<void>;
}

/**
 * Creates the polling of a task. Its timer keeps the process alive until `stop`.
 *
 * @param everyMs time from the end of one run to the start of the next
 */
export function createPolling(everyMs: number, task: () => Promise<void>, logger: Logger): Polling {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const next = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = task().catch((error: unknown) => logger.warn({ err: error }, 'a periodic task failed'));
      void running.then(next);
    }, everyMs);
  };

  return {
    start: async () => {
      await task();
      next();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
