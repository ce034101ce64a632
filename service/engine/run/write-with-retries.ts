import { setTimeout as pause } from 'node:timers/promises';
import type { RunOutcome, Transition } from '../../store/commit/run-operation.ts';
import type { RunParts } from './run-parts.ts';

const pauseMs = 250;
const maxPauseMs = 5_000;

/**
 * Writes a transition, and retries while the database is unavailable.
 *
 * @param hasLeft reports whether the run has left this process, or the process is about to exit, which ends the retries
 */
export async function writeWithRetries(
  { writer, bodyOf, logger }: Pick<RunParts, 'writer' | 'bodyOf' | 'logger'>,
  transition: Transition,
  hasLeft: () => boolean,
): Promise<RunOutcome> {
  const { tenantId, executionId, seq, body } = transition;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await writer.write(transition);
      if (outcome.kind === 'done' || attempt === 1) return outcome;
      // An earlier attempt may have been committed although its response was lost, and may have drawn the last units
      // of a quota.
      const stored = await bodyOf(tenantId, executionId, seq);
      return stored === body ? { kind: 'done' } : outcome;
    } catch (error) {
      if (hasLeft()) throw error;
      logger.warn(
        { err: error, execution: executionId, attempt },
        'a transition could not be stored and will be retried',
      );
      await pause(Math.min(pauseMs * attempt, maxPauseMs));
    }
  }
}
