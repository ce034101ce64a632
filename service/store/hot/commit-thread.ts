import { Worker } from 'node:worker_threads';

/**
 * The thread that commits the hot writes of a SQLite database, on a connection of its own. The server goes on while a commit is
 * written out, and what comes meanwhile shares the next one.
 */
export interface CommitThread {
  /**
   * Runs a commit by its name (`sqlite-commits.ts` types it), after those asked before. Arguments and results are copied, so
   * they are plain data. Rejects with what the commit threw, its `code` included.
   */
  run(name: string, args: readonly unknown[]): Promise<unknown>;
  /** Waits for what was asked, and ends the thread. */
  close(): Promise<void>;
}

/** What the thread opens. */
export interface CommitThreadOptions {
  file: string;
  sync: string;
}

export interface CommitJob {
  name: string;
  args: readonly unknown[];
}

/** Errors lose their `code` between threads unless it is sent along. */
export type CommitAnswer = { ok: true; result: unknown } | { ok: false; error: unknown; code: unknown };

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Starts the thread at its first commit: a database that is only read has none. */
export function createCommitThread(options: CommitThreadOptions): CommitThread {
  const asked: Waiting[] = [];
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const start = (): Worker => {
    const started = new Worker(new URL('./commit-worker.ts', import.meta.url), { workerData: options });
    let cause: unknown;
    started.on('message', (answer: CommitAnswer) => {
      const job = asked.shift();
      // Without work it does not keep the process alive.
      if (asked.length === 0) started.unref();
      if (answer.ok) job?.resolve(answer.result);
      else job?.reject(withCode(answer.error, answer.code));
    });
    started.on('error', (error: unknown) => {
      cause = error;
    });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const error = new Error('the thread that commits to the database ended', { cause });
      for (const { reject } of asked.splice(0)) reject(error);
    });
    return started;
  };

  return {
    run: (name, args) => {
      if (closed) return Promise.reject(new Error('the database is closed'));
      const done = new Promise((resolve, reject) => {
        worker ??= start();
        asked.push({ resolve, reject });
        worker.ref();
        worker.postMessage({ name, args } satisfies CommitJob);
      });
      // They are answered in order.
      last = done.catch(() => undefined);
      return done;
    },
    close: async () => {
      closed = true;
      await last;
      await worker?.terminate();
    },
  };
}

function withCode(error: unknown, code: unknown): unknown {
  return error instanceof Error && code !== undefined ? Object.assign(error, { code }) : error;
}
