import { Worker } from 'node:worker_threads';
import type { LanguageFolders } from '../languages/load-language.ts';
import { threadLimits } from '../builds/thread-limits.ts';
import type { MadeDocument, NumberedAnswer, NumberedJob } from './document-worker.ts';
import type { DocumentJob } from './make-document.ts';

/** Makes documents on a thread of its own, because the document of a large package would block the server. */
export interface DocumentThread {
  /**
   * If the signal aborts, ends the thread, and rejects with the reason.
   *
   * @throws Error if the document cannot be made, or the thread ends first
   */
  make(job: DocumentJob, signal?: AbortSignal): Promise<MadeDocument>;
  /** Ends the thread. Pending documents fail. */
  close(): Promise<void>;
}

interface DocumentThreadOptions {
  /** Where the languages of code samples are loaded from. */
  folders?: LanguageFolders | undefined;
  /** Idle time after which the thread ends, to free the memory of the languages that it loaded. */
  idleMs?: number;
}

interface PendingDocument {
  resolve: (made: MadeDocument) => void;
  reject: (error: Error) => void;
}

/** Starts the thread with the first document. */
export function createDocumentThread({
  folders,
  idleMs = 60_000,
}: DocumentThreadOptions = {}): DocumentThread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;
  let count = 0;
  const pending = new Map<number, PendingDocument>();

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };

  const rejectAll = (reason: Error): void => {
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
  };

  const settle = (answer: NumberedAnswer): void => {
    const { number } = answer;
    const waiting = pending.get(number);
    pending.delete(number);
    if (pending.size === 0) {
      // An idle thread does not keep the process alive.
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
      // An idle thread that `end` terminated has no pending documents.
      if (worker !== started && !closed) return;
      worker = undefined;
      rejectAll(new Error('the thread that made the document ended', { cause }));
    });
    return started;
  };

  return {
    make: async (job, signal) => {
      if (closed) throw new Error('the document thread is closed');
      signal?.throwIfAborted();
      const onAbort = (): void => {
        rejectAll(signal?.reason as Error);
        void end();
      };
      signal?.addEventListener('abort', onAbort);
      try {
        return await new Promise<MadeDocument>((resolve, reject) => {
          clearTimeout(idle);
          worker ??= start();
          worker.ref();
          const number = count++;
          pending.set(number, { resolve, reject });
          worker.postMessage({ number, job } satisfies NumberedJob);
        });
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    close: async () => {
      closed = true;
      await end();
    },
  };
}
