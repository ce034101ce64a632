import { randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulid';
import type { Clock } from './clock.ts';

/** The service's only source of identifiers, so that tests can control them. */
export interface Ids {
  /** Returns 26 characters of Crockford base 32, ascending within a process. */
  ulid(): string;
  /**
   * Returns an execution id, which is also a W3C trace id: 32 hex characters in order of time (48 bits of milliseconds, a
   * 16-bit counter, 64 random bits).
   */
  executionId(): string;
  /** Returns `bytes` random bytes as lower-case hex. */
  hex(bytes: number): string;
}

/** Creates a source of ids, unique across processes. Only the ids of one source are in order, so the service has a single one. */
export function createIds(clock: Clock): Ids {
  const random = createRandomBytes();
  const nextUlid = monotonicFactory(() => (random(1)[0] ?? 0) / 256);
  let counter = 0;
  const hex = (bytes: number): string => random(bytes).toString('hex');
  return {
    ulid: () => nextUlid(clock.now()),
    executionId: () => {
      counter = (counter + 1) & 0xffff;
      return firstExecutionId(clock.now()) + counter.toString(16).padStart(4, '0') + hex(8);
    },
    hex,
  };
}

/**
 * Returns a ULID that is greater than an earlier one: `next` itself, or its random bits with a later time if the clock of the process
 * that made the earlier one was ahead.
 *
 * @param last a ULID, or the empty text
 */
export function ulidAfter(last: string, next: string): string {
  return next > last ? next : encodeTime(decodeTime(last) + 1, 10) + next.slice(10);
}

/** Returns a lower bound of the execution ids from `epochMs` on. It is greater than every earlier id. */
export function firstExecutionId(epochMs: number): string {
  return epochMs.toString(16).padStart(12, '0');
}

/**
 * Returns the ULID of an event of a direct call. It is derived, so that events that are not stored have the same id each time they
 * are read.
 *
 * @param at epoch milliseconds
 * @param place position within the call, below 2^32; orders events of the same millisecond
 */
export function callEventId(executionId: string, { at, place }: { at: number; place: number }): string {
  // 80 bits: the place, and the last 48 random bits of the execution id.
  const random = executionId.slice(-12);
  const high = place * 0x100 + Number.parseInt(random.slice(0, 2), 16);
  const low = Number.parseInt(random.slice(2), 16);
  return encodeTime(at, 10) + base32(high) + base32(low);
}

/** Returns 8 digits of Crockford base 32, for a number below 2^40. */
function base32(number: number): string {
  let digits = '';
  for (let rest = number, count = 0; count < 8; count += 1) {
    digits = crockford.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  return digits;
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Draws random bytes in blocks of 4 KiB. A system call for each id would cost more than the rest of creating the id. */
function createRandomBytes(): (count: number) => Buffer {
  const drawn = Buffer.alloc(4_096);
  let used = drawn.length;
  return (count) => {
    if (count > drawn.length) return randomFillSync(Buffer.alloc(count));
    if (used + count > drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += count;
    return drawn.subarray(used - count, used);
  };
}
