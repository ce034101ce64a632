import type { FailureKind } from '../../../specs/failure-kind.ts';
import type { InvokeOutcome, StreamOutcome } from '../container/invoke-outcome.ts';

/** Returns the kind of failure of a call that ended without an output. */
export function failureKindOf(
  outcome: Exclude<InvokeOutcome | StreamOutcome, { kind: 'output' | 'done' }>,
): FailureKind {
  if (outcome.kind !== 'unreachable') return 'NODE_ERROR';
  switch (outcome.cause) {
    case 'deadline':
      return 'NODE_TIMEOUT';
    case 'cancelled':
      return 'CANCELLED';
    case 'connect':
    case 'send':
    case 'call':
    case 'protocol':
      return 'NODE_UNREACHABLE';
  }
}
