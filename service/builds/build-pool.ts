import { Worker } from 'node:worker_threads';
import type { BuildAnswer, BuildJob, BuiltArchive } from './build-worker.ts';
import type { LanguageFolders } from '../languages/load-language.ts';
import { threadLimits } from './thread-limits.ts';

/** The build failed. The message becomes the `error` of its row. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';
}

/** The pool was closed during the build, so another worker must repeat it. */
export class BuildAbandoned extends Error {
  override readonly name = 'BuildAbandoned';
}

interface BuildPoolOptions {
  /** Folders of the SDK languages. */
  folders?: LanguageFolders;
  /** Maximum duration of a build. */
  timeoutMs?: number;
  /** Number of workers that a build may crash before it fails. */
  attempts?: number;
}

/** Builds archives on worker threads, so that builds do not block the server. */
export interface BuildPool {
  /**
   * Builds on an idle worker, or on a new one. The caller limits the number of concurrent builds.
   * @throws BuildFailure, BuildAbandoned
   */
  build(job: BuildJob): Promise<BuiltArchive>;
  /** Ends the workers. Running builds reject with `BuildAbandoned`. */
  close(): Promise<void>;
}

type Outcome = BuildAnswer | { crashed: string } | { timedOut: true };

export function createBuildPool({
  folders = {},
  timeoutMs = 120_000,
  attempts = 3,
}: BuildPoolOptions = {}): BuildPool {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let closed = false;

  const spawn = (): Worker => {
    const worker = new Worker(new URL('./build-worker.ts', import.meta.url), {
      workerData: folders,
      resourceLimits: threadLimits,
    });
    all.add(worker);
    // Without this listener, an error of an idle thread would end the process. `runJob` listens while a job runs.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      all.delete(worker);
      const index = idle.indexOf(worker);
      if (index >= 0) idle.splice(index, 1);
    });
    return worker;
  };

  return {
    build: async (job) => {
      let lastCrash = '';
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        if (closed) throw new BuildAbandoned();
        const worker = idle.pop() ?? spawn();
        const outcome = await runJob(worker, job, timeoutMs);
        if ('timedOut' in outcome) {
          await worker.terminate();
          throw new BuildFailure(`the build took longer than ${timeoutMs / 1000} s and was terminated`);
        }
        if ('crashed' in outcome) {
          lastCrash = outcome.crashed;
          continue;
        }
        idle.push(worker);
        if (!outcome.ok) throw new BuildFailure(outcome.error);
        return { bytes: outcome.bytes, sha256: outcome.sha256 };
      }
      if (closed) throw new BuildAbandoned();
      throw new BuildFailure(`the build crashed its worker ${attempts} times: ${lastCrash}`);
    },
    close: async () => {
      closed = true;
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function runJob(worker: Worker, job: BuildJob, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const onError = (error: unknown): void =>
      settle({ crashed: error instanceof Error ? error.message : String(error) });
    const onExit = (code: number): void => settle({ crashed: `exit code ${code}` });
    const timer = setTimeout(() => settle({ timedOut: true }), timeoutMs);
    worker.on('message', settle).on('error', onError).on('exit', onExit);
    worker.postMessage(job);
  });
}
