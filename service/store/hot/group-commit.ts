/** Puts what comes together into one commit. */
export interface GroupCommit<Operation, Outcome> {
  /** Resolves once the operation's commit is durable, rejects when that commit failed as a whole. */
  push(operation: Operation): Promise<Outcome>;
  /** Waits for everything that was given, and takes no more. */
  close(): Promise<void>;
}

export interface GroupCommitOptions<Operation, Outcome> {
  /** Commits a batch; outcomes in its order. Rejects: nothing was committed. */
  commit: (batch: readonly Operation[]) => Promise<Outcome[]>;
  /** Commits under way at once. */
  lanes: number;
  /** Operations in one commit: bounds the time that a late one waits for those before it. */
  batchSize: number;
}

interface Waiting<Operation, Outcome> {
  operation: Operation;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/** Whoever comes while every lane is busy shares the next commit, so that many callers cost one transaction and one fsync. */
export function createGroupCommit<Operation, Outcome>({
  commit,
  lanes,
  batchSize,
}: GroupCommitOptions<Operation, Outcome>): GroupCommit<Operation, Outcome> {
  const queue: Waiting<Operation, Outcome>[] = [];
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
      // The answers of this commit bring new operations in this turn of the event loop: they go together.
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
