import type { Logger } from 'pino';

/** Parts of a service could not store what they had to store last. They are closed all the same. */
export class UncleanStopError extends Error {
  override readonly name = 'UncleanStopError';

  constructor(causes: readonly unknown[]) {
    const reasons = new Set(causes.map((cause) => (cause instanceof Error ? cause.message : String(cause))));
    super(`the service has stopped, but could not store everything: ${[...reasons].join('; ')}`, {
      cause: causes[0],
    });
  }
}

/** A part of the service, with the name that the log has for it. */
type Part = readonly [name: string, close: () => Promise<void> | void];

/**
 * Closes parts one after the other. One that fails is logged, and keeps no other part open.
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
