import { status } from '@grpc/grpc-js';
import {
  callCancelled,
  callExpired,
  callFailed,
  notConnected,
  type NodeUnreachable,
} from './invoke-outcome.ts';

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
export function transportFailure(told: TransportStatus, end: CallEnd): NodeUnreachable {
  if (end.cancelled && told.code === status.CANCELLED) return callCancelled;
  if (neverConnected(told)) return notConnected;
  if (end.expired && told.code === status.DEADLINE_EXCEEDED) return callExpired(end.timeoutMs);
  return callFailed('call', statusText(told));
}

/** What the end of a session means for the calls that were open on it: each has failed as UNAVAILABLE (node_container.proto). */
export function sessionFailure(told: TransportStatus): NodeUnreachable {
  if (neverConnected(told)) return notConnected;
  return callFailed('call', statusText({ code: status.UNAVAILABLE, details: sessionEnd(told) }));
}

function sessionEnd(told: TransportStatus): string {
  if (told.code === status.OK) return 'the container ended the session';
  return told.code === status.UNAVAILABLE ? told.details : `the session ended with ${statusText(told)}`;
}

export function statusText({ code, details }: { code: number; details: string }): string {
  return `${status[code] ?? 'UNKNOWN'}: ${details}`;
}

function neverConnected({ details }: TransportStatus): boolean {
  return /No connection established|Name resolution failed|Waiting for LB pick/.test(details);
}
