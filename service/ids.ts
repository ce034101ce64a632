import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
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

/** Returns a lower bound of the execution ids from `epochMs` on. It is greater than every earlier id. */
export function firstExecutionId(epochMs: number): string {
  return epochMs.toString(16).padStart(12, '0');
}

/** Draws random bytes in blocks of 4 KiB. A system call for each id would cost more than the rest of the id. */
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
