import { fromBinary } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { cutErrorText } from '../../errors/cut-error-text.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { callFailed, type InvokeOutcome, type NodeFailure, type NodeUnreachable } from './invoke-outcome.ts';
import { type Failure, type NodeMessage, NodeMessageSchema } from './protocol.ts';
import { statusText } from './transport-failure.ts';

/** Receives the messages that precede a response, in order. */
export interface CallListener {
  onLog?: (log: { level: string; message: string }) => void;
  /** `json` is text from the node's author, not parsed. */
  onProgress?: (progress: { kind: string; json: string }) => void;
  /** JSON text of the form `{nodes, edges}`, not parsed. */
  onMutation?: (fragmentJson: string) => void;
  /** `json` is text from the node's author, not parsed. */
  onMemory?: (memory: { operation: string; key: string; json: string }) => void;
}

/**
 * Reads the response to one unary call: any number of preceding messages, then exactly one that ends the
 * call.
 */
export interface AnswerReader {
  /**
   * Accepts the next message. Returns `broken` if the response violates the protocol, so that the call can be
   * cancelled.
   */
  take(message: NodeMessage): 'more' | 'ended' | 'broken';
  /** Returns the outcome of a call that the container has ended with status OK. */
  finish(): InvokeOutcome;
}

/** Creates the reader of one call. `listener` is called within `take`. */
export function createAnswerReader(listener: CallListener): AnswerReader {
  let outcome: InvokeOutcome | undefined;
  let ending: string | undefined;
  const breakOff = (detail: string): 'broken' => {
    outcome = callFailed('protocol', detail);
    return 'broken';
  };

  return {
    take({ kind }) {
      if (kind.case === undefined) return breakOff('the container sent an empty message');
      if (ending !== undefined) return breakOff(`the container sent ${kind.case} after ${ending}`);
      if (passNote(kind, listener)) return 'more';
      switch (kind.case) {
        case 'output':
          outcome = { kind: 'output', bytes: kind.value };
          break;
        case 'error':
          outcome = nodeFailure(kind.value);
          break;
        case 'pause': {
          const { interruptPayloadJson, resumeSchema, timeoutPolicy } = kind.value;
          const { timeoutSeconds, escalateAfterSeconds } = kind.value;
          outcome = {
            kind: 'pause',
            interruptPayloadJson,
            resumeSchema,
            timeoutSeconds,
            escalateAfterSeconds,
            timeoutPolicy,
          };
          break;
        }
        default:
          return breakOff(
            `the container answered a unary call with ${kind.case}, which only pipeline nodes send`,
          );
      }
      ending = kind.case;
      return 'ended';
    },
    finish: () =>
      outcome ?? callFailed('protocol', 'the container ended the call without output, error or pause'),
  };
}

/**
 * Parses a message from a container. Malformed bytes fail the call, with the same text as the stream objects
 * of grpc-js.
 */
export function readNodeMessage(bytes: Uint8Array): NodeMessage | NodeUnreachable {
  try {
    return fromBinary(NodeMessageSchema, bytes);
  } catch (error) {
    const details = `Response message parsing error: ${thrownMessage(error)}`;
    return callFailed('call', statusText({ code: status.INTERNAL, details }));
  }
}

/** Passes a message that may precede a response to the listener. Returns false for every other message. */
export function passNote(
  kind: NodeMessage['kind'],
  { onLog, onProgress, onMutation, onMemory }: CallListener,
): boolean {
  switch (kind.case) {
    case 'log':
      onLog?.({ level: kind.value.level, message: kind.value.message });
      return true;
    case 'progress':
      onProgress?.({ kind: kind.value.kind, json: kind.value.json });
      return true;
    // Only runs of flows listen to these two kinds.
    case 'mutation':
      onMutation?.(kind.value.fragmentJson);
      return true;
    case 'memory': {
      const { operation, key, detailJson: json } = kind.value;
      onMemory?.({ operation, key, json });
      return true;
    }
    default:
      return false;
  }
}

/** Returns the outcome of a call that the node itself ended as failed. */
export function nodeFailure({ message, retryable, failurePayloadJson }: Failure): NodeFailure {
  const text = message === '' ? 'the node failed without a message' : cutErrorText(message);
  return { kind: 'failure', message: text, retryable, payloadJson: failurePayloadJson };
}
