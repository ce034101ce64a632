/** Combines operations that arrive together. */
export interface Batcher<Operation, Outcome> {
  /** Resolves with the outcome of the operation. Rejects if its whole batch failed. */
  push(operation: Operation): Promise<Outcome>;
  /** Rejects new operations, and waits for pending ones. */
  close(): Promise<void>;
}

interface BatcherOptions<Operation, Outcome> {
  /** Runs a batch, and returns the outcomes in its order. Rejects if no operation was done. */
  run: (batch: readonly Operation[]) => Promise<Outcome[]>;
  /** Number of concurrent batches. */
  lanes: number;
  /** Maximum number of operations per batch. It bounds the time that an operation waits for earlier ones. */
  batchSize: number;
}

interface PendingOperation<Operation, Outcome> {
  operation: Operation;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/**
 * Operations of one event loop turn share a batch, and operations that arrive while every lane is busy share the next one. Many
 * callers therefore cost one statement, or one transaction and one fsync.
 */
export function createBatcher<Operation, Outcome>({
  run,
  lanes,
  batchSize,
}: BatcherOptions<Operation, Outcome>): Batcher<Operation, Outcome> {
  const queue: PendingOperation<Operation, Outcome>[] = [];
  const busy = new Set<Promise<void>>();
  let gathering = false;
  let closed = false;

  const runNext = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize);
      try {
        const outcomes = await run(batch.map(({ operation }) => operation));
        batch.forEach(({ resolve }, index) => resolve(outcomes[index] as Outcome));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      // The outcomes of this batch cause new operations in this turn of the event loop. They share the next batch.
      await new Promise(setImmediate);
    }
  };

  const gather = (): void => {
    if (gathering || busy.size >= lanes) return;
    gathering = true;
    setImmediate(() => {
      gathering = false;
      if (queue.length === 0 || busy.size >= lanes) return;
      const lane = runNext().finally(() => {
        busy.delete(lane);
        if (queue.length > 0) gather();
      });
      busy.add(lane);
    });
  };

  return {
    push: (operation) => {
      if (closed) return Promise.reject(new Error('the database is being closed'));
      return new Promise((resolve, reject) => {
        queue.push({ operation, resolve, reject });
        gather();
      });
    },
    close: async () => {
      closed = true;
      while (queue.length > 0 || busy.size > 0) {
        await Promise.all(busy);
        await new Promise(setImmediate);
      }
    },
  };
}
