import { callFailed, type InvokeOutcome } from './invoke-outcome.ts';
import type { NodeMessage } from './protocol.ts';

/** What a call tells on its way, in the order in which the container said it. */
export interface CallListener {
  onLog?: (log: { level: string; message: string }) => void;
  /** `json` is the author's text, unread. */
  onProgress?: (progress: { kind: string; json: string }) => void;
  /** JSON text of `{nodes, edges}`, unread. */
  onMutation?: (fragmentJson: string) => void;
  /** `json` is the author's text, unread. */
  onMemory?: (memory: { operation: string; key: string; json: string }) => void;
}

/** Reads the answer to one unary call: any number of messages on the way, then exactly one that ends it. */
export interface AnswerReader {
  /** Takes the next message; `broken` when the answer is beyond use and the call can stop. */
  take(message: NodeMessage): 'more' | 'ended' | 'broken';
  /** The container has ended the call in order: what came of it. */
  finish(): InvokeOutcome;
}

export function createAnswerReader({ onLog, onProgress, onMutation, onMemory }: CallListener): AnswerReader {
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
      switch (kind.case) {
        case 'log':
          onLog?.({ level: kind.value.level, message: kind.value.message });
          return 'more';
        case 'progress':
          onProgress?.({ kind: kind.value.kind, json: kind.value.json });
          return 'more';
        // Of runs of flows; a direct call has no use for them, and does not listen.
        case 'mutation':
          onMutation?.(kind.value.fragmentJson);
          return 'more';
        case 'memory': {
          const { operation, key, detailJson: json } = kind.value;
          onMemory?.({ operation, key, json });
          return 'more';
        }
        case 'frame':
        case 'done':
          return breakOff(
            `the container answered a unary call with ${kind.case}, which is for pipeline nodes`,
          );
        case 'output':
          outcome = { kind: 'output', bytes: kind.value };
          break;
        case 'error': {
          const { message, retryable, failurePayloadJson } = kind.value;
          outcome = { kind: 'failure', message, retryable, payloadJson: failurePayloadJson };
          break;
        }
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
      }
      ending = kind.case;
      return 'ended';
    },
    finish: () =>
      outcome ?? callFailed('protocol', 'the container ended the call without output, error or pause'),
  };
}
