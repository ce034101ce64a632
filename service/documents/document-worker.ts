import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { LanguageFolders } from '../languages/load-language.ts';
import { lowerThreadPriority } from '../work/lower-thread-priority.ts';
import { createCodeSampler } from './code-samples.ts';
import { type DocumentJob, makeDocument } from './make-document.ts';

/** Entry point of the threads of `document-thread.ts`. Each job gets one response. */

/** A document in its text form, with the hash of its bytes. */
export interface MadeDocument {
  /** UTF-8. */
  bytes: Uint8Array;
  /** SHA-256 in lower-case hex. */
  sha256: string;
}

/** The response to a job. `failure` is the stack of an unexpected error, for the log. */
export type DocumentAnswer = MadeDocument | { failure: string };

const samplesOf = createCodeSampler(workerData as LanguageFolders | undefined);

lowerThreadPriority();
parentPort?.on('message', (job: DocumentJob) => {
  makeDocument(job, samplesOf).then(
    (text) => {
      const bytes = new TextEncoder().encode(text);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      parentPort?.postMessage({ bytes, sha256 } satisfies DocumentAnswer, [bytes.buffer]);
    },
    (error: unknown) => {
      const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
      parentPort?.postMessage({ failure } satisfies DocumentAnswer);
    },
  );
});
