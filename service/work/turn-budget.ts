import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Time for which all streams together may work in one turn of the event loop, in milliseconds. The call of another tenant takes several
 * turns: while 40 uploads of tiny lines were read, the 95th percentile of its time was 84 ms with 2, and 155 with 5.
 */
const budgetMs = 2;

let beganAt: number | undefined;
let turn = 0;

/**
 * Reports whether the streams of all callers have used up their time in this turn of the event loop. What arrives in tiny pieces, such
 * as lines, frames and logs, would otherwise be processed in one turn for as long as its sender is faster, and everybody else waits.
 * A stream that gets `true` continues after a `setImmediate`, and then takes at least one piece before it asks again: the streams
 * that wait before it may use up the next turn, too.
 */
export function isTurnSpent(): boolean {
  const now = performance.now();
  if (beganAt === undefined) {
    beganAt = now;
    setImmediate(() => {
      beganAt = undefined;
      turn += 1;
    });
  }
  return now - beganAt >= budgetMs;
}

/** Waits for the next turn of the event loop if the time of streams in this one is used up. */
export async function yieldTurnIfSpent(): Promise<void> {
  if (isTurnSpent()) await nextTurn();
}

/** Passes the items of a stream on. */
interface TurnTaker<T> {
  /** Adds items. */
  take(items: readonly T[]): void;
  /** The stream has ended: calls back once the items so far have been passed on. A paused stream may end, too. */
  end(then: () => void): void;
}

/**
 * Passes the items of a stream on, and pauses it whenever the turn is spent. In each turn at least one item is passed on, so that short
 * answers do not wait behind long ones.
 */
export function takeInTurns<T>(
  stream: { pause(): unknown; resume(): unknown },
  pass: (item: T) => void,
): TurnTaker<T> {
  const waiting: (readonly T[])[] = [];
  let next = 0;
  let isPaused = false;
  let onEnd: (() => void) | undefined;
  let turnOfLast = -1;
  const drain = (): void => {
    for (let items = waiting[0]; items; items = waiting[0]) {
      for (; next < items.length; next += 1) {
        if (isTurnSpent() && turnOfLast === turn) {
          if (!isPaused) stream.pause();
          isPaused = true;
          setImmediate(drain);
          return;
        }
        turnOfLast = turn;
        pass(items[next] as T);
      }
      waiting.shift();
      next = 0;
    }
    if (isPaused) {
      isPaused = false;
      stream.resume();
    }
    onEnd?.();
    onEnd = undefined;
  };
  return {
    take: (items) => {
      waiting.push(items);
      // Otherwise a turn is waiting to continue.
      if (!isPaused) drain();
    },
    end: (then) => {
      onEnd = then;
      if (!isPaused) drain();
    },
  };
}
