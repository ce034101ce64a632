/**
 * The time that one kind of work may take in a turn of the event loop, and the line of those who wait for the next turn. SQLite,
 * mocked nodes and conversions resolve at once, so that an `await` on them lets nobody else work.
 */
class TurnBudget {
  readonly #budgetMs: number;
  /** When this kind of work began in this turn, and when the worker whose share it is now did. */
  #turnBegan: number | undefined;
  #shareBegan = 0;
  #turn = 0;
  /** The turn in which a worker last left the line. */
  #turnOfLeaving = -1;
  readonly #line: (() => void)[] = [];

  /** @param budgetMs for all callers together, in one turn */
  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Number of the current turn, counting only turns with this kind of work. */
  get turn(): number {
    return this.#turn;
  }

  /**
   * Reports whether the caller must let others work: the time of this turn is used up, or the caller has used its share, and others
   * wait in line.
   */
  isSpent(): boolean {
    const now = performance.now();
    if (this.#isBudgetSpent(now)) return true;
    const waiting = this.#line.length;
    return waiting > 0 && now - this.#shareBegan >= this.#budgetMs / (waiting + 1);
  }

  /**
   * Waits in line if the turn is spent. The first in line continues in the next turn of the event loop, and the others as far as
   * its time suffices, each for at least one piece of its work. What the caller has read may have changed meanwhile. Not for use
   * within a transaction.
   */
  async yieldIfSpent(): Promise<void> {
    if (this.isSpent()) await this.queue();
  }

  /** Waits in line behind all who wait for their turn. */
  queue(): Promise<void> {
    return new Promise((resolve) => {
      this.#line.push(resolve);
      setImmediate(this.#leaveLine);
    });
  }

  #isBudgetSpent(now: number): boolean {
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now;
      this.#shareBegan = now;
      setImmediate(() => {
        this.#turnBegan = undefined;
        this.#turn += 1;
      });
    }
    return now - this.#turnBegan >= this.#budgetMs;
  }

  /** Everyone in line has one such callback in each turn. What it resumes runs before the next one. */
  readonly #leaveLine = (): void => {
    const now = performance.now();
    if (this.#isBudgetSpent(now) && this.#turnOfLeaving === this.#turn) {
      setImmediate(this.#leaveLine);
      return;
    }
    this.#turnOfLeaving = this.#turn;
    this.#shareBegan = now;
    this.#line.shift()?.();
  };
}

/**
 * For what arrives in tiny pieces, such as lines, frames and logs, which would otherwise be processed in one turn for as long as
 * its sender is faster. The call of another tenant takes several turns: while 40 uploads of tiny lines were read, the 95th
 * percentile of its time was 84 ms with 2 ms for all streams together, and 155 with 5.
 */
export const streamTurns = new TurnBudget(2);

/**
 * For loops whose length a tenant or the stored data determines, such as the nodes of a flow. They have a line of their own,
 * because thousands of streams may wait in the other one.
 */
export const loopTurns = new TurnBudget(5);

/** Runs a loop step by step, and yields its turn as `loopTurns` does after each step, including the last. */
export async function inTurns<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    await loopTurns.yieldIfSpent();
    if (step.done === true) return step.value;
  }
}

/** Passes the items of a stream on. */
interface TurnTaker<T> {
  /** Adds items. */
  take(items: readonly T[]): void;
  /** The stream has ended: calls back once the items so far have been passed on. A paused stream may end, too. */
  end(then: () => void): void;
}

/**
 * Passes the items of a stream on, and pauses it whenever the turn is spent. In each turn at least one item is passed on, so that
 * short answers do not wait behind long ones.
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
        if (streamTurns.isSpent() && turnOfLast === streamTurns.turn) {
          if (!isPaused) stream.pause();
          isPaused = true;
          setImmediate(drain);
          return;
        }
        turnOfLast = streamTurns.turn;
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
