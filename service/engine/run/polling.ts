import type { Logger } from 'pino';

/** Does something again and again, one time after the other; a time that fails is logged, and the next one comes. */
export interface Polling {
  /** Does it once, and then on. Rejects when the first time fails. */
  start(): Promise<void>;
  /** Waits for the time under way; there is no further one. */
  stop(): Promise<void>;
}

/** @param everyMs from the end of one time to the beginning of the next */
export function createPolling(everyMs: number, work: () => Promise<void>, logger: Logger): Polling {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<void> = Promise.resolve();

  const next = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      busy = work().catch((error: unknown) => logger.warn({ err: error }, 'a periodic look failed'));
      void busy.then(next);
    }, everyMs);
  };

  return {
    start: async () => {
      await work();
      next();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await busy;
    },
  };
}
