import type { InvokeOutcome } from '../../nodes/container/invoke-outcome.ts';
import type { StepFailure } from './next-actions.ts';
import { pauseNotAvailable } from './run-texts.ts';

/** What it means for a run that a node did not answer with its output. Of what never reached it a further attempt may succeed. */
export function failureOf(node: string, outcome: Exclude<InvokeOutcome, { kind: 'output' }>): StepFailure {
  switch (outcome.kind) {
    case 'failure':
      return outcome;
    case 'unreachable':
      return { message: outcome.message, retryable: true };
    case 'pause':
      return { message: pauseNotAvailable(node), retryable: false };
  }
}
