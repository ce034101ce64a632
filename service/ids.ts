import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Clock } from './clock.ts';

/** The only source of identifiers in the service, so that tests own them. */
export interface Ids {
  /** 26 characters of Crockford base 32, ascending within a process. */
  ulid(): string;
  /**
   * Execution id: 32 hex characters in order of time (48 bits of milliseconds, a 16 bit counter, 64 random bits), also a
   * W3C trace id.
   */
  executionId(): string;
  /** `bytes` random bytes as lower-case hex. */
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

/** What the ids of all executions from `epochMs` on come after, and those of all earlier ones before. */
export function firstExecutionId(epochMs: number): string {
  return epochMs.toString(16).padStart(12, '0');
}

/** Asking the system for each few bytes costs more than all else of an id: they are drawn many at once, and given out once each. */
function createRandomBytes(): (count: number) => Buffer {
  const drawn = Buffer.alloc(4_096);
  let given = drawn.length;
  return (count) => {
    if (count > drawn.length) return randomFillSync(Buffer.alloc(count));
    if (given + count > drawn.length) {
      randomFillSync(drawn);
      given = 0;
    }
    given += count;
    return drawn.subarray(given - count, given);
  };
}
