import { Worker } from 'node:worker_threads';

/** The job needed more memory than a thread may have. */
export class ThreadMemoryExceeded extends Error {
  override readonly name = 'ThreadMemoryExceeded';
}

interface WorkerThreadsOptions {
  /** Module that responds to each message with one message. */
  entry: URL;
  /** The `workerData` of each thread. */
  data?: unknown;
  /** Maximum heap of a thread, in MiB. */
  megabytes: number;
  /** Time after which an idle thread ends, to free its memory, in milliseconds. */
  idleMs?: number;
  /**
   * Whether the module ends its thread when it receives `undefined`. Set it for threads that use zlib: Node
   * aborts the whole process if it terminates a thread that is creating a zlib stream. A thread is terminated
   * only if it does not end within a second.
   */
  endsItself?: boolean;
}

/** Time for a thread to end itself, in milliseconds. */
const endMs = 1_000;

/** Memory for new objects of a thread, in MiB. */
const youngMegabytes = 32;

/**
 * Threads that process one message at a time. A thread starts when no other is idle, so the caller limits their number. An idle one
 * does not keep the process alive.
 */
export class WorkerThreads<Message, Result> {
  readonly #options: Required<WorkerThreadsOptions>;
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  readonly #all = new Set<Worker>();
  #closed = false;

  constructor({ idleMs = 10_000, endsItself = false, data, ...options }: WorkerThreadsOptions) {
    this.#options = { idleMs, endsItself, data, ...options };
  }

  /**
   * Resolves with the response to a message. If the signal aborts, terminates the thread and rejects with the
   * reason.
   *
   * @throws ThreadMemoryExceeded; Error if the thread ends before it responds
   */
  async run(message: Message, signal?: AbortSignal): Promise<Result> {
    if (this.#closed) throw new Error('the worker threads are closed');
    signal?.throwIfAborted();
    const worker = this.#take();
    try {
      return await answerOf<Result>(worker, () => worker.postMessage(message), signal);
    } catch (error) {
      await this.#end(worker);
      throw error;
    } finally {
      if (this.#all.has(worker)) this.#release(worker);
    }
  }

  /** Terminates the threads. Running messages fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((worker) => this.#end(worker)));
  }

  #take(): Worker {
    // The thread that worked last: its caches are warm, and the others may time out.
    const worker = [...this.#idle.keys()].at(-1) ?? this.#start();
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    worker.ref();
    return worker;
  }

  #release(worker: Worker): void {
    worker.unref();
    const timer = setTimeout(() => {
      // A thread that is ending accepts no messages.
      this.#idle.delete(worker);
      void this.#end(worker);
    }, this.#options.idleMs);
    this.#idle.set(worker, timer.unref());
  }

  async #end(worker: Worker): Promise<void> {
    if (this.#options.endsItself && this.#all.has(worker)) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, endMs);
        worker.once('exit', () => {
          clearTimeout(late);
          resolve();
        });
        worker.postMessage(undefined);
      });
    }
    await worker.terminate();
  }

  #start(): Worker {
    const { entry, data, megabytes } = this.#options;
    const worker = new Worker(entry, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: youngMegabytes },
    });
    this.#all.add(worker);
    // Without a listener, an error of the thread would end the process. `answerOf` reports it to the caller.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.#all.delete(worker);
      clearTimeout(this.#idle.get(worker));
      this.#idle.delete(worker);
    });
    return worker;
  }
}

function answerOf<Result>(worker: Worker, send: () => void, signal?: AbortSignal): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const settle = (finish: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const onMessage = (result: Result): void => settle(() => resolve(result));
    const onAbort = (): void => settle(() => reject(signal?.reason as Error));
    const onExit = (code: number): void =>
      settle(() => reject(new Error(`the thread ended before it answered: exit code ${code}`)));
    const onError = (error: unknown): void => settle(() => reject(causeOf(error)));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
    send();
  });
}

function causeOf(error: unknown): Error {
  const code = (error as { code?: unknown }).code;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new ThreadMemoryExceeded('the thread ran out of memory');
  return new Error('the thread died', { cause: error });
}
