import { status } from '@grpc/grpc-js';
import { callFailed, type NodeUnreachable } from './invoke-outcome.ts';

/** A gRPC status other than OK, as grpc-js reports it. */
export interface TransportStatus {
  code: status;
  details: string;
}

export interface CallEnd {
  /** The caller's signal had fired. */
  cancelled: boolean;
  /** The call's time was over. */
  expired: boolean;
  /** How long the call was allowed to take, milliseconds. */
  timeoutMs: number;
}

/**
 * What a status means for the caller of a node, in SPEC.md's texts. grpc-js says UNAVAILABLE both when it never had a
 * connection and when one broke; only the details tell, so a test holds them against real failures.
 */
export function transportFailure({ code, details }: TransportStatus, end: CallEnd): NodeUnreachable {
  if (end.cancelled && code === status.CANCELLED) return callFailed('cancelled', 'the call was cancelled');
  const neverConnected = /No connection established|Name resolution failed|Waiting for LB pick/.test(details);
  if (neverConnected) return { kind: 'unreachable', cause: 'connect', message: 'could not connect to node' };
  if (end.expired && code === status.DEADLINE_EXCEEDED) {
    return callFailed('deadline', `no answer within ${end.timeoutMs} ms`);
  }
  return callFailed('call', `${status[code]}: ${details}`);
}
