import type { InvokeOutcome } from '../../nodes/container/invoke-outcome.ts';
import { pauseNotAvailable } from './run-texts.ts';

/** Why an attempt of a step failed. */
export interface StepFailure {
  message: string;
  /** Whether a further attempt may succeed. */
  retryable: boolean;
  /** JSON text; empty if the node sent none. */
  payloadJson?: string;
}

/** Returns the failure of an attempt that ended without an output. A call that did not reach the node may be retried. */
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
