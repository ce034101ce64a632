import { Worker } from 'node:worker_threads';
import type { BuildAnswer, BuildJob, BuiltArchive } from './build-worker.ts';
import type { LanguageFolders } from './load-language.ts';
import { threadLimits } from './thread-limits.ts';

/** The build itself failed: the message is the row's `error`. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';
}

/** The pool was closed under the build, which is to be done by somebody else. */
export class BuildAbandoned extends Error {
  override readonly name = 'BuildAbandoned';
}

export interface BuildPoolOptions {
  /** Where languages are loaded from. */
  folders?: LanguageFolders;
  /** A build that takes longer has gone astray. */
  timeoutMs?: number;
  /** How often a build is begun before the deaths of its workers are taken for its own fault. */
  attempts?: number;
}

/** Worker threads that build archives, so that no build stalls the server. */
export interface BuildPool {
  /**
   * Builds in an idle worker, or in a new one: how many builds run at once is the caller's to say.
   * @throws BuildFailure, BuildAbandoned
   */
  build(job: BuildJob): Promise<BuiltArchive>;
  /** Ends the workers; builds under way reject with `BuildAbandoned`. */
  close(): Promise<void>;
}

/** `died`: the thread is gone, `astray`: it ran too long and was ended. */
type Outcome = BuildAnswer | { died: string } | { astray: true };

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
    // An idle thread that dies is told by nobody else; one at work is, by `ask`.
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
      let lastDeath = '';
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        if (closed) throw new BuildAbandoned();
        const worker = idle.pop() ?? spawn();
        const outcome = await ask(worker, job, timeoutMs);
        if ('astray' in outcome) {
          await worker.terminate();
          throw new BuildFailure(`the build took longer than ${timeoutMs / 1000} s and was ended`);
        }
        if ('died' in outcome) {
          lastDeath = outcome.died;
          continue;
        }
        idle.push(worker);
        if (!outcome.ok) throw new BuildFailure(outcome.error);
        return { bytes: outcome.bytes, sha256: outcome.sha256 };
      }
      if (closed) throw new BuildAbandoned();
      throw new BuildFailure(`the build ended its worker ${attempts} times: ${lastDeath}`);
    },
    close: async () => {
      closed = true;
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function ask(worker: Worker, job: BuildJob, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const onError = (error: unknown): void =>
      settle({ died: error instanceof Error ? error.message : String(error) });
    const onExit = (code: number): void => settle({ died: `exit code ${code}` });
    const timer = setTimeout(() => settle({ astray: true }), timeoutMs);
    worker.on('message', settle).on('error', onError).on('exit', onExit);
    worker.postMessage(job);
  });
}
