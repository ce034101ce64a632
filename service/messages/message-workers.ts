import { Worker } from 'node:worker_threads';
import type { Conversion } from './conversion.ts';
import type { WorkerAnswer, WorkerJob } from './conversion-worker.ts';
import { convertInline } from './convert.ts';
import type { ConversionKind, Conversions, ConversionTask } from './convert.ts';

/** Conversions that never stall the server: small ones are done at once, big ones on another thread. */
export interface MessageWorkers {
  /**
   * The one way by which calls convert messages. Same results whichever thread does it.
   *
   * @throws Error when the registry lacks the type, the thread died, or the workers are closed.
   */
  convert<Kind extends ConversionKind>(
    kind: Kind,
    task: ConversionTask<Kind>,
  ): Promise<Conversion<Conversions[Kind]['output']>>;
  /** Ends the threads. What is still being converted fails. */
  close(): Promise<void>;
}

export interface MessageWorkersOptions {
  /** Threads at most; each is started when there is work that the others cannot take. */
  size?: number;
  /** Inputs of at least so many bytes (characters of a string) go to a thread. Below, the hand-over costs more than it saves. */
  workerFrom?: number;
}

interface Job {
  message: WorkerJob;
  resolve(answer: WorkerAnswer): void;
  reject(error: Error): void;
}

export function createMessageWorkers({
  size = 2,
  workerFrom = 1_048_576,
}: MessageWorkersOptions = {}): MessageWorkers {
  const waiting: Job[] = [];
  const idle: Worker[] = [];
  const running = new Map<Worker, Job | undefined>();
  let closed = false;

  const next = (): void => {
    while (waiting.length > 0) {
      const worker = idle.pop() ?? (running.size < size ? start() : undefined);
      const job = worker === undefined ? undefined : waiting.shift();
      if (worker === undefined || job === undefined) return;
      running.set(worker, job);
      worker.ref();
      worker.postMessage(job.message);
    }
  };

  const start = (): Worker => {
    const worker = new Worker(new URL('./conversion-worker.ts', import.meta.url));
    running.set(worker, undefined);
    worker.on('message', (answer: WorkerAnswer) => {
      const job = running.get(worker);
      running.set(worker, undefined);
      idle.push(worker);
      // A thread without work does not keep the process alive.
      worker.unref();
      job?.resolve(answer);
      next();
    });
    let cause: unknown;
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    worker.on('exit', () => {
      running.get(worker)?.reject(new Error('the thread that converted the message ended', { cause }));
      running.delete(worker);
      const place = idle.indexOf(worker);
      if (place >= 0) idle.splice(place, 1);
      if (!closed) next();
    });
    return worker;
  };

  const runInWorker = (message: WorkerJob): Promise<WorkerAnswer> =>
    new Promise((resolve, reject) => {
      if (closed) throw new Error('the message workers are closed');
      waiting.push({ message, resolve, reject });
      next();
    });

  return {
    convert: async (kind, task) => {
      if (task.input.length < workerFrom) return convertInline(kind, task);
      const { registry, typeName, input } = task;
      const { descriptorSet, key } = registry;
      const answer = await runInWorker({ kind, descriptorSet, key, typeName, input });
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.conversion;
    },
    close: async () => {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new Error('the message workers are closed'));
      await Promise.all([...running.keys()].map((worker) => worker.terminate()));
    },
  };
}
