import { limits } from '../../specs/limits.ts';
import type { LanguageFolders } from '../languages/load-language.ts';
import { WorkerThreads } from '../work/worker-threads.ts';
import type { DocumentAnswer, MadeDocument } from './document-worker.ts';
import type { DocumentJob } from './make-document.ts';

/** Makes documents on a separate thread, because the document of a large package would block the server. */
export interface DocumentThread {
  /**
   * Makes a document. The caller must make one at a time: each concurrent document takes another thread,
   * which loads all languages again. If the signal aborts, ends the thread and rejects with the reason.
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

/** Starts the thread with the first document. */
export function createDocumentThread({
  folders,
  idleMs = 60_000,
}: DocumentThreadOptions = {}): DocumentThread {
  const threads = new WorkerThreads<DocumentJob, DocumentAnswer>({
    entry: new URL('./document-worker.ts', import.meta.url),
    data: folders,
    megabytes: limits.buildThreadMegabytes,
    idleMs,
  });
  return {
    make: async (job, signal) => {
      const answer = await threads.run(job, signal);
      if ('failure' in answer) throw new Error(`the document could not be made: ${answer.failure}`);
      return answer;
    },
    close: () => threads.close(),
  };
}
