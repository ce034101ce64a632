import { setTimeout as pause } from 'node:timers/promises';
import type { RunOutcome, Transition } from '../../store/hot/run-operation.ts';
import type { RunParts } from './run-parts.ts';

const pauseMs = 250;
const longestPauseMs = 5_000;

/**
 * Writes a transition until the database says what came of it: a run waits for a database that is away.
 *
 * @param hasLeft whether the run is still to be gone on with
 */
export async function writeSurely(
  { writer, bodyOf, logger }: Pick<RunParts, 'writer' | 'bodyOf' | 'logger'>,
  transition: Transition,
  hasLeft: () => boolean,
): Promise<RunOutcome> {
  const { tenantId, executionId, seq, body } = transition;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await writer.write(transition);
      if (outcome.kind !== 'fenced' || attempt === 1) return outcome;
      // An attempt before this one may have been committed without our hearing of it.
      const standing = await bodyOf(tenantId, executionId, seq);
      return standing === body ? { kind: 'done' } : outcome;
    } catch (error) {
      if (hasLeft()) throw error;
      logger.warn({ err: error, execution: executionId, attempt }, 'a transition could not be stored yet');
      await pause(Math.min(pauseMs * attempt, longestPauseMs));
    }
  }
}
