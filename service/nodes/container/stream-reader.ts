import { callFailed, type StreamOutcome } from './invoke-outcome.ts';
import { type CallListener, nodeFailure, passNote, readNodeMessage } from './read-answer.ts';

/**
 * A message of a stream: an output frame, the end of the stream, or undefined for a message that is only for
 * the listener.
 */
type StreamMessage = { kind: 'frame'; bytes: Uint8Array } | StreamOutcome | undefined;

/** Reads a message that a container sends on the stream of a pipeline node. A message that violates the protocol ends the stream. */
export function readStreamMessage(bytes: Uint8Array, listener: CallListener): StreamMessage {
  const message = readNodeMessage(bytes);
  if (message.kind === 'unreachable') return message;
  const { kind } = message;
  if (passNote(kind, listener)) return undefined;
  switch (kind.case) {
    case 'frame':
      return { kind: 'frame', bytes: kind.value };
    case 'done':
      return { kind: 'done' };
    case 'error':
      return nodeFailure(kind.value);
    case undefined:
      return callFailed('protocol', 'the container sent an empty message');
    default:
      return callFailed(
        'protocol',
        `the container answered a stream with ${kind.case}, which only unary nodes send`,
      );
  }
}
