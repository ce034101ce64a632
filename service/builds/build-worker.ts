import { parentPort, workerData } from 'node:worker_threads';
import type { PlannedRelease } from '../../generator/changes/plan-release.ts';
import { generateSdk } from '../../generator/generate-sdk.ts';
import { thrownMessage } from '../errors/thrown-message.ts';
import { type LanguageFolders, loadLanguage } from '../languages/load-language.ts';
import { createVersionModels } from './version-models.ts';
import { planVersion, type VersionPlan } from '../clients/plan-version.ts';
import type { VersionSource } from '../clients/version-source.ts';
import { lowerThreadPriority } from '../work/lower-thread-priority.ts';

/** An archive to build. */
export interface BuildJob {
  source: VersionSource;
  language: string;
}

/** A finished SDK archive, as a zip file. */
export interface BuiltArchive {
  bytes: Uint8Array;
  /** Lower-case hex. */
  sha256: string;
}

/** A job for a worker of the build pool: an archive, or a version to plan before it is built. */
export type WorkerJob = { archive: BuildJob } | { plan: VersionPlan };

/** The result of a job. */
export type WorkerResult = { archive: BuiltArchive } | { plan: PlannedRelease };

/**
 * A worker's response to a job. Responses are in the order of the jobs. `error` comes from the generator and
 * is shown to the tenant.
 */
export type WorkerAnswer = WorkerResult | { error: string };

type LoadedLanguage = Awaited<ReturnType<typeof loadLanguage>>;

const folders = workerData as LanguageFolders;
const languages = new Map<string, LoadedLanguage>();
const models = createVersionModels();

lowerThreadPriority();
parentPort?.on('message', (job: WorkerJob | undefined) => {
  if (job === undefined) process.exit();
  void answerTo(job)
    .catch((error: unknown): WorkerAnswer => ({ error: thrownMessage(error) }))
    .then((answer) => {
      // Transfers the archive's memory instead of copying it.
      const moved =
        'archive' in answer && ownsMemory(answer.archive.bytes) ? [answer.archive.bytes.buffer] : [];
      parentPort?.postMessage(answer, moved);
    });
});

async function answerTo(job: WorkerJob): Promise<WorkerResult> {
  return 'plan' in job ? { plan: planVersion(job.plan) } : { archive: await build(job.archive) };
}

async function build({ source, language }: BuildJob): Promise<BuiltArchive> {
  const loaded = languages.get(language) ?? (await loadLanguage(language, folders));
  languages.set(language, loaded);
  const model = models.modelOf(source);
  const { bytes, sha256 } = await generateSdk(model, loaded.language, loaded.templates);
  return { bytes, sha256 };
}

function ownsMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}
