import type { Logger } from 'pino';
import { thrownMessage } from './errors/thrown-message.ts';

/** Parts of the service could not store their last data. All parts are closed regardless. */
export class UncleanStopError extends Error {
  override readonly name = 'UncleanStopError';

  constructor(causes: readonly unknown[]) {
    const reasons = new Set(causes.map(thrownMessage));
    super(`the service has stopped, but could not store everything: ${[...reasons].join('; ')}`, {
      cause: causes[0],
    });
  }
}

/** A part of the service, with its name in the log. */
type Part = readonly [name: string, close: () => Promise<void> | void];

/**
 * Closes parts one after the other. Logs a failure and continues with the next part.
 *
 * @throws UncleanStopError once all parts are closed, if any of them failed
 */
export async function closeParts(parts: readonly Part[], logger: Logger): Promise<void> {
  const failures: unknown[] = [];
  for (const [part, close] of parts) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
      logger.error({ err: error, part }, 'a part of the service could not be closed in order');
    }
  }
  if (failures.length > 0) throw new UncleanStopError(failures);
}
