/** How one call of a unary node ended: all of it values, because runs of flows go on from each of them. */
export type InvokeOutcome = NodeOutput | NodeFailure | NodePause | NodeUnreachable;

export interface NodeOutput {
  kind: 'output';
  /** Serialized output message. */
  bytes: Uint8Array;
}

/** The node's own code refused or failed. */
export interface NodeFailure {
  kind: 'failure';
  /** Verbatim what the node said. */
  message: string;
  /** Whether the node says that a further attempt may succeed. */
  retryable: boolean;
  /** JSON text of the node's failure payload; empty when it gave none. */
  payloadJson: string;
}

/** The node waits for a human. */
export interface NodePause {
  kind: 'pause';
  /** JSON text: what the human is asked. */
  interruptPayloadJson: string;
  /** Full name of the message that the decision must fit; empty for the node's input message. */
  resumeSchema: string;
  /** 0 for the default. */
  timeoutSeconds: number;
  /** 0 for never. */
  escalateAfterSeconds: number;
  /** `CANCEL` or empty. */
  timeoutPolicy: string;
}

/** The container did not answer, or not as the protocol says. */
export interface NodeUnreachable {
  kind: 'unreachable';
  /**
   * `connect`: the request reached nobody; `send`: it could not be sent; `call`: the call broke off or the container refused
   * it; `protocol`: it answered otherwise than it must; `deadline`, `cancelled`: this side gave up waiting.
   */
  cause: 'connect' | 'send' | 'call' | 'protocol' | 'deadline' | 'cancelled';
  /** One of SPEC.md's texts (Single node, 502): `could not connect to node`, `calling node: <detail>`, ... */
  message: string;
}

export function callFailed(cause: NodeUnreachable['cause'], detail: string): NodeUnreachable {
  return { kind: 'unreachable', cause, message: `calling node: ${detail}` };
}

export const notConnected: NodeUnreachable = {
  kind: 'unreachable',
  cause: 'connect',
  message: 'could not connect to node',
};

export const callCancelled = callFailed('cancelled', 'the call was cancelled');

/** @param timeoutMs how long the call was allowed to take */
export function callExpired(timeoutMs: number): NodeUnreachable {
  return callFailed('deadline', `no answer within ${timeoutMs} ms`);
}
