import type { FailureKind } from '../../../specs/failure-kind.ts';
import { failureKindOf } from '../../nodes/call/failure-kind.ts';
import type { InvokeOutcome } from '../../nodes/container/invoke-outcome.ts';

/** A step was not called, because the tenant must first change something. */
interface StepRefusal {
  kind: 'refused';
  message: string;
}

/** The result of one attempt of a step. */
export type StepOutcome = InvokeOutcome | StepRefusal;

/** The failure of an attempt of a step. */
export interface StepFailure {
  message: string;
  /** Absent if no kind describes the cause. */
  failureKind?: FailureKind;
  /** Whether a further attempt may succeed. */
  retryable: boolean;
  /** JSON text; empty if the node sent none. */
  payloadJson?: string;
}

/** Returns the failure of an attempt that ended without an output or a pause. A call that did not reach the node may be retried. */
export function failureOf(outcome: Exclude<StepOutcome, { kind: 'output' | 'pause' }>): StepFailure {
  switch (outcome.kind) {
    case 'failure': {
      const { message, retryable, payloadJson } = outcome;
      return { message, retryable, payloadJson, failureKind: failureKindOf(outcome) };
    }
    case 'unreachable':
      return { message: outcome.message, retryable: true, failureKind: failureKindOf(outcome) };
    case 'refused':
      return { message: outcome.message, retryable: false };
  }
}
