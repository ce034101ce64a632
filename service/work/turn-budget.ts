/**
 * Limits the time that one kind of work may take in a turn of the event loop. Callers that exceed it queue
 * for the next turn. SQLite, mocked nodes and conversions resolve without leaving the turn, so an `await` on
 * them does not let other work run.
 */
class TurnBudget {
  readonly #budgetMs: number;
  /** Start of this kind of work in this turn, and start of the current caller's share. */
  #turnBegan: number | undefined;
  #shareBegan = 0;
  #turn = 0;
  /** The turn in which the queue was last advanced. */
  #turnOfLeaving = -1;
  readonly #line: (() => void)[] = [];

  /** @param budgetMs budget of all callers together, in one turn */
  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Number of the current turn, counting only turns with this kind of work. */
  get turn(): number {
    return this.#turn;
  }

  /**
   * Reports whether the caller must yield: the budget of this turn is spent, or the caller has used its share
   * while others are queued.
   */
  isSpent(): boolean {
    const now = performance.now();
    if (this.#isBudgetSpent(now)) return true;
    const waiting = this.#line.length;
    return waiting > 0 && now - this.#shareBegan >= this.#budgetMs / (waiting + 1);
  }

  /**
   * Queues if the turn is spent. The first in the queue continues in the next turn of the event loop. The
   * others follow as long as the budget of that turn lasts, and each gets to do at least one piece of work.
   * State that the caller has read may have changed meanwhile. Must not be used within a transaction.
   */
  async yieldIfSpent(): Promise<void> {
    if (this.isSpent()) await this.queue();
  }

  /** Queues behind all callers that are already waiting. */
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

  /**
   * Advances the queue. Each queued caller has one such callback per turn. The work that it resumes runs
   * before the next callback.
   */
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
 * For work that arrives in tiny pieces, such as lines, frames and logs. If the sender is fast enough, it
 * would otherwise be processed in a single turn without end. Calls of other tenants take several turns: while
 * 40 uploads of tiny lines were read, their 95th percentile was 84 ms with a budget of 2 ms, and 155 ms with
 * 5 ms.
 */
export const streamTurns = new TurnBudget(2);

/**
 * For loops whose length depends on a tenant or on stored data, such as the nodes of a flow. They have a
 * queue of their own, because thousands of streams may be waiting in the other one.
 */
export const loopTurns = new TurnBudget(5);

/**
 * Runs a loop step by step. After each step, including the last, yields if the turn of `loopTurns` is spent.
 */
export async function inTurns<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    await loopTurns.yieldIfSpent();
    if (step.done === true) return step.value;
  }
}

/** Passes on the items of a stream. */
interface TurnTaker<T> {
  /** Adds items. */
  take(items: readonly T[]): void;
  /**
   * Reports the end of the stream. Calls back once all items have been passed on. A paused stream may end,
   * too.
   */
  end(then: () => void): void;
}

/**
 * Passes on the items of a stream, and pauses the stream while the turn is spent. At least one item is passed
 * on in each turn, so that short responses do not wait behind long ones.
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
      // Otherwise `drain` is already scheduled.
      if (!isPaused) drain();
    },
    end: (then) => {
      onEnd = then;
      if (!isPaused) drain();
    },
  };
}
