import { Worker } from 'node:worker_threads';

/**
 * Commits the writes of calls and runs to a SQLite database, on its own thread and connection. The server continues while a
 * commit waits for the disk, and collects the next batch.
 */
export interface CommitThread {
  /**
   * Runs a commit of `sqlite-commits.ts` by name, after the earlier ones. Arguments and results are copied between threads, so
   * they are plain data. Rejects with the commit's error, including its `code`.
   */
  run(name: string, args: readonly unknown[]): Promise<unknown>;
  /** Waits for pending commits, and ends the thread. */
  close(): Promise<void>;
}

/** The database that the thread opens. */
export interface CommitThreadOptions {
  file: string;
  sync: string;
}

/**
 * A message to the thread: a commit of `sqlite-commits.ts` and its arguments. The thread responds to jobs in order.
 */
export interface CommitJob {
  name: string;
  args: readonly unknown[];
}

/** The response to a job. An error loses its `code` between threads, so the code is sent with it. */
export type CommitAnswer = { ok: true; result: unknown } | { ok: false; error: unknown; code: unknown };

interface PendingCommit {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Creates a thread that starts with the first commit, because a database that is only read needs none. */
export function createCommitThread(options: CommitThreadOptions): CommitThread {
  const pending: PendingCommit[] = [];
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const start = (): Worker => {
    const started = new Worker(new URL('./commit-worker.ts', import.meta.url), { workerData: options });
    let cause: unknown;
    started.on('message', (answer: CommitAnswer) => {
      const job = pending.shift();
      // An idle thread does not keep the process alive.
      if (pending.length === 0) started.unref();
      if (answer.ok) job?.resolve(answer.result);
      else job?.reject(withCode(answer.error, answer.code));
    });
    started.on('error', (error: unknown) => {
      cause = error;
    });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const error = new Error('the thread that commits to the database ended', { cause });
      for (const { reject } of pending.splice(0)) reject(error);
    });
    return started;
  };

  return {
    run: (name, args) => {
      if (closed) return Promise.reject(new Error('the database is closed'));
      const done = new Promise((resolve, reject) => {
        worker ??= start();
        pending.push({ resolve, reject });
        worker.ref();
        worker.postMessage({ name, args } satisfies CommitJob);
      });
      // Commits finish in order, so `close` only waits for the last one.
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
