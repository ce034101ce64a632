import type { Metadata } from '@grpc/grpc-js';
import { systemClock } from '../../clock.ts';

/** The longest delay of a Node timer. */
const maxTimerMs = 2 ** 31 - 1;

/** Calls back at a deadline, in epoch milliseconds of the machine's clock, but no later than the longest delay of a timer. */
export function atDeadline(deadline: number, expire: () => void): NodeJS.Timeout {
  return setTimeout(expire, Math.min(leftMs(deadline), maxTimerMs));
}

/**
 * Returns metadata that also carries the remaining time to the container, as gRPC does for calls with a
 * deadline of its own.
 */
export function metadataUntil(deadline: number, metadata: Metadata): Metadata {
  const left = leftMs(deadline);
  if (left > maxTimerMs) return metadata;
  const limited = metadata.clone();
  // The value has at most eight digits.
  limited.set('grpc-timeout', left <= 99_999_999 ? `${Math.ceil(left)}m` : `${Math.ceil(left / 1_000)}S`);
  return limited;
}

function leftMs(deadline: number): number {
  return Math.max(0, deadline - systemClock.now());
}
