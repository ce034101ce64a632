import { status } from '@grpc/grpc-js';
import { systemClock } from '../../clock.ts';
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

interface CallEnd {
  /** The caller's signal had fired. */
  cancelled: boolean;
  /** Epoch milliseconds. */
  deadline: number;
  /** The call's time limit, in milliseconds. */
  timeoutMs: number;
}

/** A timer may fire this much before its deadline, in milliseconds. */
const earlyMs = 5;

/**
 * Returns the outcome of a call that ended with a status other than OK. grpc-js reports UNAVAILABLE both for a connection that never
 * opened and for one that broke. Only the details differ, so tests check them against real failures.
 */
export function transportFailure(ended: TransportStatus, end: CallEnd): NodeUnreachable {
  if (end.cancelled && ended.code === status.CANCELLED) return callCancelled;
  if (neverConnected(ended)) return connectFailure(ended);
  const expired = systemClock.now() >= end.deadline - earlyMs;
  if (expired && ended.code === status.DEADLINE_EXCEEDED) return callExpired(end.timeoutMs);
  return callFailed('call', callText(ended));
}

/** Returns the outcome of the calls that were open when their session ended: each has failed as UNAVAILABLE. */
export function sessionFailure(ended: TransportStatus): NodeUnreachable {
  if (neverConnected(ended)) return connectFailure(ended);
  // The container has received none of the calls.
  if (ended.code === status.UNAUTHENTICATED) return callFailed('call', callText(ended));
  return callFailed('call', statusText({ code: status.UNAVAILABLE, details: sessionEnd(ended) }));
}

/** Describes how the container, or gRPC, ended a call. */
export function callText(ended: { code: number; details: string }): string {
  const text = statusText(ended);
  if (ended.code !== (status.UNAUTHENTICATED as number)) return text;
  return `${text}: deploy the package again with the token that its container expects`;
}

function sessionEnd(ended: TransportStatus): string {
  if (ended.code === status.OK) return 'the container ended the session';
  return ended.code === status.UNAVAILABLE ? ended.details : `the session ended with ${statusText(ended)}`;
}

/** For example `UNAVAILABLE: the container is stopping`. */
export function statusText({ code, details }: { code: number; details: string }): string {
  return `${status[code] ?? 'UNKNOWN'}: ${details}`;
}

/**
 * Returns the outcome of a failed connection. Names the cause if the publisher of the container or the
 * operator can do something about it. Omits host names in certificates.
 */
function connectFailure({ details }: TransportStatus): NodeUnreachable {
  const cause = tlsProblem(details) ?? protocolProblem(details);
  return cause === undefined
    ? notConnected
    : { ...notConnected, message: `${notConnected.message}: ${cause}` };
}

function tlsProblem(details: string): string | undefined {
  if (details.includes('ERR_TLS_CERT_ALTNAME_INVALID')) {
    return 'its certificate is for another host: deploy it under a host that its certificate names';
  }
  const [, problem] = /Last error: Error: ([a-z -]*certificate[a-z -]*)/i.exec(details) ?? [];
  if (problem === 'certificate has expired')
    return 'its certificate has expired: renew it and restart the container';
  if (problem !== undefined) {
    return `its certificate was refused (${problem.trim()}): the operator adds its authority to SVC_NODE_CA_FILE`;
  }
  return details.includes('SSL routines')
    ? 'the TLS handshake failed: deploy it as grpc:// if it has no TLS'
    : undefined;
}

/** Describes a peer that accepted the connection but is not a gRPC server without TLS. */
function protocolProblem(details: string): string | undefined {
  return /Last error: (?:Failed to connect|Protocol error)/.test(details)
    ? 'no gRPC server without TLS answers there: deploy it as grpcs:// if it has TLS, or give the port of the container'
    : undefined;
}

/**
 * Reports whether the container's HTTP/2 server refused the stream before processing it, as servers do when
 * they close the connection.
 */
export function notReceived({ details }: TransportStatus): boolean {
  return details === 'Stream refused by server' || details.startsWith('Failed to start HTTP/2 stream');
}

function neverConnected({ details }: TransportStatus): boolean {
  return /No connection established|Name resolution failed|Waiting for LB pick/.test(details);
}
