import { cutErrorText } from '../../errors/cut-error-text.ts';

/** How a call of a unary node ended. Failures are values, because runs handle each of them. */
export type InvokeOutcome = NodeOutput | NodeFailure | NodePause | NodeUnreachable;

interface NodeOutput {
  kind: 'output';
  /** Serialized output message. */
  bytes: Uint8Array;
}

/** The node itself refused or failed. */
export interface NodeFailure {
  kind: 'failure';
  /** The node's own message, verbatim up to the limit of error texts. */
  message: string;
  /** Whether a further attempt may succeed, according to the node. */
  retryable: boolean;
  /** JSON text of the node's failure payload; empty for none. */
  payloadJson: string;
}

/** How a stream of a pipeline node ended. */
export type StreamOutcome = { kind: 'done' } | NodeFailure | NodeUnreachable;

/** The node requests a human decision. */
interface NodePause {
  kind: 'pause';
  /** The question to the human, JSON text. */
  interruptPayloadJson: string;
  /** Full name of the message type of the decision; empty for the node's input message. */
  resumeSchema: string;
  /** 0 for the default. */
  timeoutSeconds: number;
  /** 0 for never. */
  escalateAfterSeconds: number;
  /** `CANCEL` or empty. */
  timeoutPolicy: string;
}

/** The container did not respond, or violated the protocol. */
export interface NodeUnreachable {
  kind: 'unreachable';
  /**
   * `connect`: there was no connection; `send`: the request could not be sent; `call`: the call broke or the
   * container refused it; `protocol`: the response violated the protocol; `deadline`, `cancelled`: this side
   * stopped waiting.
   */
  cause: 'connect' | 'send' | 'call' | 'protocol' | 'deadline' | 'cancelled';
  /** `could not connect to node`, `calling node: <detail>` or `sending to node: <detail>`. */
  message: string;
}

const calling = 'calling node: ';

/**
 * Returns the outcome of a call that failed after its connection was established. The message is `calling
 * node: <detail>`, truncated at the limit of error texts.
 */
export function callFailed(cause: NodeUnreachable['cause'], detail: string): NodeUnreachable {
  return { kind: 'unreachable', cause, message: cutErrorText(`${calling}${detail}`) };
}

export const notConnected: NodeUnreachable = {
  kind: 'unreachable',
  cause: 'connect',
  message: 'could not connect to node',
};

export const callCancelled = callFailed('cancelled', 'the call was cancelled');

/** @param timeoutMs the call's time limit */
export function callExpired(timeoutMs: number): NodeUnreachable {
  return callFailed('deadline', `no answer within ${timeoutMs} ms`);
}

/** Returns why a call failed, without the stage at which it failed. */
export function detailOf({ message }: NodeUnreachable): string {
  return message.startsWith(calling) ? message.slice(calling.length) : message;
}
