import { Worker } from 'node:worker_threads';
import { generateSdk } from '../../generator/generate-sdk.ts';
import { zipFiles } from '../../generator/archive/zip-files.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadLanguage } from '../../service/builds/load-language.ts';
import { sdkModelOfVersion } from '../../service/builds/sdk-model-of-version.ts';
import type { VersionSource } from '../../service/builds/version-source.ts';
import { median } from './statistics.ts';

/** How long the archives of one client take, in milliseconds. */
export interface ArchiveTimes {
  /** A language, or `all` for the whole set, one after the other. */
  language: string;
  members: number;
  files: number;
  archiveBytes: number;
  /** From nothing: thread started, language and templates loaded and compiled, first archive. */
  coldMs: number;
  /** Median of further archives in the same thread. */
  warmMs: number;
  /** Median of zipping the same files by the same archiver with the same settings, measured in turn with `warmMs`. */
  zipMs: number;
}

/** Measures each language on one client version, and sums the set up. */
export async function measureArchives(
  source: VersionSource,
  languages: readonly string[],
  budgetMs: number,
): Promise<ArchiveTimes[]> {
  const rows: ArchiveTimes[] = [];
  for (const language of languages) rows.push(await measureLanguage(source, language, budgetMs));
  return languages.length > 1 ? [...rows, sumOf(rows)] : rows;
}

async function measureLanguage(
  source: VersionSource,
  language: string,
  budgetMs: number,
): Promise<ArchiveTimes> {
  const coldMs = median(await repeat(3, () => coldBuild(source, language)));
  const loaded = await loadLanguage(language);
  const build = () => generateSdk(sdkModelOfVersion(source), loaded.language, loaded.templates);
  const files = await sdkFiles(sdkModelOfVersion(source), loaded.language, loaded.templates);
  let archiveBytes = 0;
  for (let warmUp = 0; warmUp < 3; warmUp += 1) {
    archiveBytes = (await build()).bytes.length;
    await zipFiles(files);
  }
  const warm: number[] = [];
  const zip: number[] = [];
  const end = performance.now() + budgetMs;
  while (warm.length < 5 || (performance.now() < end && warm.length < 200)) {
    warm.push(await timed(build));
    zip.push(await timed(() => zipFiles(files)));
  }
  return {
    language,
    members: source.snapshot.members.length,
    files: files.length,
    archiveBytes,
    coldMs,
    warmMs: median(warm),
    zipMs: median(zip),
  };
}

function sumOf(rows: readonly ArchiveTimes[]): ArchiveTimes {
  const sum = (field: (row: ArchiveTimes) => number): number =>
    rows.reduce((total, row) => total + field(row), 0);
  return {
    language: 'all',
    members: rows[0]?.members ?? 0,
    files: sum((row) => row.files),
    archiveBytes: sum((row) => row.archiveBytes),
    coldMs: sum((row) => row.coldMs),
    warmMs: sum((row) => row.warmMs),
    zipMs: sum((row) => row.zipMs),
  };
}

/** One archive by a new thread of the kind that the service uses. */
async function coldBuild(source: VersionSource, language: string): Promise<number> {
  const startedAt = performance.now();
  const worker = new Worker(new URL('../../service/builds/build-worker.ts', import.meta.url), {
    workerData: {},
  });
  const answer = new Promise<{ ok: boolean; error?: string }>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  worker.postMessage({ source, language });
  const { ok, error } = await answer;
  const took = performance.now() - startedAt;
  await worker.terminate();
  if (!ok) throw new Error(`${language}: ${error ?? ''}`);
  return took;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (let i = 0; i < times; i += 1) results.push(await work());
  return results;
}
