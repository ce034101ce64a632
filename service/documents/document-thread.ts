import { Worker } from 'node:worker_threads';
import type { LanguageFolders } from '../builds/load-language.ts';
import { threadLimits } from '../builds/thread-limits.ts';
import type { MadeDocument, NumberedAnswer, NumberedJob } from './document-worker.ts';
import type { DocumentJob } from './make-document.ts';

/** Makes documents on a thread of its own: those of a large package take longer than any call may wait. */
export interface DocumentThread {
  /** @throws Error when it cannot be made, or the thread ended under it */
  make(job: DocumentJob): Promise<MadeDocument>;
  /** Ends the thread; what is being made fails. */
  close(): Promise<void>;
}

export interface DocumentThreadOptions {
  /** Where languages are loaded from, for programs that call what is described. */
  folders?: LanguageFolders | undefined;
  /** A thread that had nothing to do for so long ends: the languages that it has loaded take memory. */
  idleMs?: number;
}

interface Asked {
  resolve: (made: MadeDocument) => void;
  reject: (error: Error) => void;
}

/** The thread is started when there is something to make. */
export function createDocumentThread({
  folders,
  idleMs = 60_000,
}: DocumentThreadOptions = {}): DocumentThread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;
  let count = 0;
  const asked = new Map<number, Asked>();

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };

  const settle = (answer: NumberedAnswer): void => {
    const { number } = answer;
    const waiting = asked.get(number);
    asked.delete(number);
    if (asked.size === 0) {
      // A thread without work does not keep the process alive.
      worker?.unref();
      idle = setTimeout(() => void end(), idleMs).unref();
    }
    if ('made' in answer) waiting?.resolve(answer.made);
    else waiting?.reject(new Error(`the document could not be made: ${answer.failure}`));
  };

  const start = (): Worker => {
    const started = new Worker(new URL('./document-worker.ts', import.meta.url), {
      workerData: folders,
      resourceLimits: threadLimits,
    });
    let cause: unknown;
    started.on('message', settle);
    started.on('error', (error: unknown) => {
      cause = error;
    });
    started.on('exit', () => {
      // One that was ended on purpose has nothing to answer for.
      if (worker !== started && !closed) return;
      worker = undefined;
      for (const { reject } of asked.values()) {
        reject(new Error('the thread that made the document ended', { cause }));
      }
      asked.clear();
    });
    return started;
  };

  return {
    make: (job) =>
      new Promise((resolve, reject) => {
        if (closed) throw new Error('the thread for documents is closed');
        clearTimeout(idle);
        worker ??= start();
        worker.ref();
        const number = count++;
        asked.set(number, { resolve, reject });
        worker.postMessage({ number, job } satisfies NumberedJob);
      }),
    close: async () => {
      closed = true;
      await end();
    },
  };
}
