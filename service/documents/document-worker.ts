import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { LanguageFolders } from '../languages/load-language.ts';
import { lowerThreadPriority } from '../builds/lower-thread-priority.ts';
import { createCodeSampler } from './code-samples.ts';
import { type DocumentJob, makeDocument } from './make-document.ts';

/** Runs on the thread that `document-thread.ts` starts. Each job gets one answer with the job's number. */

export interface NumberedJob {
  number: number;
  job: DocumentJob;
}

/** A document in its text form, with the hash of its bytes. */
export interface MadeDocument {
  /** UTF-8. */
  bytes: Uint8Array;
  /** SHA-256 in lower-case hex. */
  sha256: string;
}

export type NumberedAnswer = { number: number } & ({ made: MadeDocument } | { failure: string });

const samplesOf = createCodeSampler(workerData as LanguageFolders | undefined);

lowerThreadPriority();
parentPort?.on('message', ({ number, job }: NumberedJob) => {
  makeDocument(job, samplesOf).then(
    (text) => {
      const bytes = new TextEncoder().encode(text);
      const made = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
      parentPort?.postMessage({ number, made } satisfies NumberedAnswer, [bytes.buffer]);
    },
    (error: unknown) => {
      const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
      parentPort?.postMessage({ number, failure } satisfies NumberedAnswer);
    },
  );
});
