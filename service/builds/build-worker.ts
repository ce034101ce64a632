import { parentPort, workerData } from 'node:worker_threads';
import { generateSdk } from '../../generator/generate-sdk.ts';
import { type LanguageFolders, loadLanguage } from '../languages/load-language.ts';
import { createVersionModels } from './version-models.ts';
import type { VersionSource } from '../clients/version-source.ts';
import { lowerThreadPriority } from '../work/lower-thread-priority.ts';

/** A job for a worker of the build pool. */
export interface BuildJob {
  source: VersionSource;
  language: string;
}

export interface BuiltArchive {
  bytes: Uint8Array;
  /** Lower-case hex. */
  sha256: string;
}

/** The worker's answer to a job. Answers are in the order of the jobs. `error` comes from the generator and is shown to the tenant. */
export type BuildAnswer = ({ ok: true } & BuiltArchive) | { ok: false; error: string };

type LoadedLanguage = Awaited<ReturnType<typeof loadLanguage>>;

const folders = workerData as LanguageFolders;
const languages = new Map<string, LoadedLanguage>();
const models = createVersionModels();

lowerThreadPriority();
parentPort?.on('message', (job: BuildJob | undefined) => {
  if (job === undefined) process.exit();
  void build(job)
    .catch((error: unknown): BuildAnswer => ({ ok: false, error: messageOf(error) }))
    .then((answer) => {
      // Transfers the archive's memory instead of copying it.
      const moved = answer.ok && ownsMemory(answer.bytes) ? [answer.bytes.buffer] : [];
      parentPort?.postMessage(answer, moved);
    });
});

async function build({ source, language }: BuildJob): Promise<BuildAnswer> {
  const loaded = languages.get(language) ?? (await loadLanguage(language, folders));
  languages.set(language, loaded);
  const model = models.modelOf(source);
  const { bytes, sha256 } = await generateSdk(model, loaded.language, loaded.templates);
  return { ok: true, bytes, sha256 };
}

function ownsMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
