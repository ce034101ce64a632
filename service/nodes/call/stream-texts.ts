import { detailOf, type NodeUnreachable, type StreamOutcome } from '../container/invoke-outcome.ts';

/** Error text of a stream that exceeds its deadline. */
export const streamTimedOut = 'timeout waiting for pipeline result';

/**
 * Describes why an open stream failed.
 *
 * @param id id of the node, or its name on a direct call
 */
export function streamFailureText(id: string, outcome: Exclude<StreamOutcome, { kind: 'done' }>): string {
  if (outcome.kind === 'failure') return outcome.message;
  switch (outcome.cause) {
    case 'deadline':
      return streamTimedOut;
    case 'connect':
      return openFailureText(id, outcome);
    case 'send':
      return `send to node "${id}": ${detailOf(outcome)}`;
    case 'cancelled':
    case 'call':
    case 'protocol':
      return `recv from node "${id}": ${detailOf(outcome)}`;
  }
}

/** Describes why a stream could not be opened. */
export function openFailureText(id: string, outcome: NodeUnreachable): string {
  return `open pipeline stream for node "${id}": ${detailOf(outcome)}`;
}
