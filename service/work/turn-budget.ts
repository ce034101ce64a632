/**
 * Time for which all streams together may work in one turn of the event loop, in milliseconds. The call of another tenant takes several
 * turns: while 40 uploads of tiny lines were read, the 95th percentile of its time was 84 ms with 2, and 155 with 5.
 */
const budgetMs = 2;

/** When streams began to work in this turn, and when the one that works now did. */
let turnBegan: number | undefined;
let shareBegan = 0;
let turn = 0;
/** The turn in which a stream last left the line. */
let turnOfLeaving = -1;
const line: (() => void)[] = [];

/**
 * Reports whether a stream must let others work: all streams together have used up their time in this turn of the event loop, or this
 * one has used its share, and others wait. What arrives in tiny pieces, such as lines, frames and logs, would otherwise be processed in one
 * turn for as long as its sender is faster, and everybody else waits.
 */
export function isTurnSpent(): boolean {
  const now = performance.now();
  if (isBudgetSpent(now)) return true;
  return line.length > 0 && now - shareBegan >= budgetMs / (line.length + 1);
}

function isBudgetSpent(now: number): boolean {
  if (turnBegan === undefined) {
    turnBegan = now;
    shareBegan = now;
    setImmediate(() => {
      turnBegan = undefined;
      turn += 1;
    });
  }
  return now - turnBegan >= budgetMs;
}

/**
 * Waits in line if the turn is spent. The first in line continues in the next turn of the event loop, and the others as far as its time
 * suffices, each for at least one piece.
 */
export async function yieldTurnIfSpent(): Promise<void> {
  if (isTurnSpent()) await queueForTurn();
}

/** Waits in line behind all streams that wait for their turn. */
export function queueForTurn(): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve);
    setImmediate(leaveLine);
  });
}

/** Each stream in line has one such callback in each turn. What it resumes runs before the next one. */
function leaveLine(): void {
  const now = performance.now();
  if (isBudgetSpent(now) && turnOfLeaving === turn) {
    setImmediate(leaveLine);
    return;
  }
  turnOfLeaving = turn;
  shareBegan = now;
  line.shift()?.();
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
