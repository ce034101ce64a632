import type { Client, Metadata } from '@grpc/grpc-js';
import { systemClock } from '../../clock.ts';

/** The deadline that gRPC gets: none, because it would reset all the calls that time out together at once (decision 0124). */
export const noGrpcDeadline = Infinity;

/** The longest delay of a Node timer. */
const maxTimerMs = 2 ** 31 - 1;

/** Calls back at a deadline, in epoch milliseconds of the machine's clock, but no later than the longest delay of a timer. */
export function atDeadline(deadline: number, expire: () => void): NodeJS.Timeout {
  return setTimeout(expire, Math.min(leftMs(deadline), maxTimerMs));
}

/** Returns metadata that also tells the container how much time it has, as gRPC does for calls with a deadline of its own. */
export function metadataUntil(deadline: number, metadata: Metadata): Metadata {
  const left = leftMs(deadline);
  if (left > maxTimerMs) return metadata;
  const limited = metadata.clone();
  // At most eight digits, and a unit.
  limited.set('grpc-timeout', left < 1e7 ? `${Math.ceil(left)}m` : `${Math.ceil(left / 1_000)}S`);
  return limited;
}

function leftMs(deadline: number): number {
  return Math.max(0, deadline - systemClock.now());
}

/** Returns whether a connection has taken a call. Until then gRPC returns the target of the channel as its peer. */
export function isTaken(call: { getPeer(): string }, client: Client): boolean {
  return call.getPeer() !== client.getChannel().getTarget();
}
