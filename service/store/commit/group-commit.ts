/** Combines operations that arrive together into one commit. */
interface GroupCommit<Operation, Outcome> {
  /** Resolves once the operation's commit is durable. Rejects if the whole commit failed. */
  push(operation: Operation): Promise<Outcome>;
  /** Rejects new operations, and waits for pending ones. */
  close(): Promise<void>;
}

interface GroupCommitOptions<Operation, Outcome> {
  /** Commits a batch, and returns the outcomes in its order. Rejects if nothing was committed. */
  commit: (batch: readonly Operation[]) => Promise<Outcome[]>;
  /** Number of concurrent commits. */
  lanes: number;
  /** Maximum number of operations per commit. It bounds the time that an operation waits for the ones before it. */
  batchSize: number;
}

interface PendingOperation<Operation, Outcome> {
  operation: Operation;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/** Operations that arrive while every lane is busy share the next commit, so that many callers cost one transaction and one fsync. */
export function createGroupCommit<Operation, Outcome>({
  commit,
  lanes,
  batchSize,
}: GroupCommitOptions<Operation, Outcome>): GroupCommit<Operation, Outcome> {
  const queue: PendingOperation<Operation, Outcome>[] = [];
  const busy = new Set<Promise<void>>();
  let gathering = false;
  let closed = false;

  const commitNext = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize);
      try {
        const outcomes = await commit(batch.map(({ operation }) => operation));
        batch.forEach(({ resolve }, index) => resolve(outcomes[index] as Outcome));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      // The outcomes of this commit cause new operations in this turn of the event loop. They share the next commit.
      await new Promise(setImmediate);
    }
  };

  const gather = (): void => {
    if (gathering || busy.size >= lanes) return;
    gathering = true;
    setImmediate(() => {
      gathering = false;
      if (queue.length === 0 || busy.size >= lanes) return;
      const lane = commitNext().finally(() => {
        busy.delete(lane);
        if (queue.length > 0) gather();
      });
      busy.add(lane);
    });
  };

  return {
    push: (operation) => {
      if (closed) return Promise.reject(new Error('the group commit is closed'));
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
