import type { PlannedRelease } from '../../generator/changes/plan-release.ts';
import { limits } from '../../specs/limits.ts';
import type { VersionPlan } from '../clients/plan-version.ts';
import type { LanguageFolders } from '../languages/load-language.ts';
import { WorkerThreads } from '../work/worker-threads.ts';
import type { BuildJob, BuiltArchive, WorkerAnswer, WorkerJob, WorkerResult } from './build-worker.ts';

/** The build failed. The message becomes the `error` of its row. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';
}

/** The pool was closed during the build, so another worker must repeat it. */
export class BuildAbandoned extends Error {
  override readonly name = 'BuildAbandoned';
}

/** Number of workers that a build may crash before it fails. */
const attempts = 3;

interface BuildPoolOptions {
  /** Folders of the SDK languages. */
  folders?: LanguageFolders;
  /** Maximum duration of a build, in milliseconds. */
  timeoutMs?: number;
  /**
   * Idle time after which a worker ends, to free the memory of the languages that it loaded, in milliseconds. Default: the idle time
   * of all worker threads.
   */
  idleMs?: number;
}

/** Builds archives on worker threads, so that builds do not block the server. */
export interface BuildPool {
  /**
   * Builds on an idle worker, or on a new one. The caller limits the number of concurrent builds.
   * @throws BuildFailure, BuildAbandoned
   */
  build(job: BuildJob): Promise<BuiltArchive>;
  /**
   * Plans a client version on an idle worker, or on a new one. The caller limits the number of concurrent plans.
   * @throws BuildFailure, BuildAbandoned
   */
  plan: (plan: VersionPlan) => Promise<PlannedRelease>;
  /** Ends the workers. Running builds reject with `BuildAbandoned`. */
  close(): Promise<void>;
}

/**
 * Starts a worker with the first job. A job that crashes its worker is tried three times; one that exceeds `timeoutMs` fails at
 * once.
 */
export function createBuildPool({
  folders = {},
  timeoutMs = 120_000,
  idleMs,
}: BuildPoolOptions = {}): BuildPool {
  const threads = new WorkerThreads<WorkerJob, WorkerAnswer>({
    entry: new URL('./build-worker.ts', import.meta.url),
    data: folders,
    megabytes: limits.buildThreadMegabytes,
    endsItself: true,
    ...(idleMs !== undefined && { idleMs }),
  });
  let closed = false;

  const answerTo = async (job: WorkerJob): Promise<WorkerResult> => {
    let lastCrash: unknown;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (closed) throw new BuildAbandoned();
      const late = AbortSignal.timeout(timeoutMs);
      let answer: WorkerAnswer;
      try {
        answer = await threads.run(job, late);
      } catch (error) {
        if (late.aborted)
          throw new BuildFailure(`the build took longer than ${timeoutMs / 1000} s and was terminated`);
        lastCrash = error;
        continue;
      }
      if ('error' in answer) throw new BuildFailure(answer.error);
      return answer;
    }
    if (closed) throw new BuildAbandoned();
    throw new BuildFailure(`the build crashed its worker ${attempts} times: ${causeText(lastCrash)}`);
  };

  // A worker responds with a result of the same kind as its job.
  return {
    build: async (archive) => ((await answerTo({ archive })) as { archive: BuiltArchive }).archive,
    plan: async (plan) => ((await answerTo({ plan })) as { plan: PlannedRelease }).plan,
    close: async () => {
      closed = true;
      await threads.close();
    },
  };
}

function causeText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
