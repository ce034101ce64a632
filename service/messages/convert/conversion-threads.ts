import { Worker } from 'node:worker_threads';
import type { WorkerJob, WorkerResult } from './conversion-worker.ts';

interface PendingJob {
  message: WorkerJob;
  resolve(result: WorkerResult): void;
  reject(error: Error): void;
}

/** A pool of worker threads that convert messages. Threads start on demand, and an idle one does not keep the process alive. */
export class ConversionThreads {
  readonly #maxThreads: number;
  readonly #queue: PendingJob[] = [];
  readonly #idle: Worker[] = [];
  readonly #jobs = new Map<Worker, PendingJob | undefined>();
  #closed = false;

  constructor(maxThreads: number) {
    this.#maxThreads = maxThreads;
  }

  /** Rejects when the thread dies or the pool is closed. */
  run(message: WorkerJob): Promise<WorkerResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw closedError();
      this.#queue.push({ message, resolve, reject });
      this.#assignJobs();
    });
  }

  /** Terminates the threads. Pending jobs fail. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(closedError());
    await Promise.all([...this.#jobs.keys()].map((worker) => worker.terminate()));
  }

  #assignJobs(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop() ?? (this.#jobs.size < this.#maxThreads ? this.#start() : undefined);
      const job = worker === undefined ? undefined : this.#queue.shift();
      if (worker === undefined || job === undefined) return;
      this.#jobs.set(worker, job);
      worker.ref();
      worker.postMessage(job.message);
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./conversion-worker.ts', import.meta.url));
    this.#jobs.set(worker, undefined);
    worker.on('message', (result: WorkerResult) => {
      const job = this.#jobs.get(worker);
      this.#jobs.set(worker, undefined);
      this.#idle.push(worker);
      worker.unref();
      job?.resolve(result);
      this.#assignJobs();
    });
    let cause: unknown;
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#jobs.get(worker)?.reject(new Error('the thread that converted the message died', { cause }));
      this.#jobs.delete(worker);
      const index = this.#idle.indexOf(worker);
      if (index >= 0) this.#idle.splice(index, 1);
      if (!this.#closed) this.#assignJobs();
    });
    return worker;
  }
}

function closedError(): Error {
  return new Error('the message workers are closed');
}
