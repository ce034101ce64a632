import { ZipArchive } from 'archiver';
import { compression } from '../../generator/archive/zip-files.ts';
import type { SdkFile } from '../../generator/language.ts';
import { generateSdk } from '../../generator/generate-sdk.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { createBuildPool } from '../../service/builds/build-pool.ts';
import { createVersionModels } from '../../service/builds/version-models.ts';
import type { VersionSource } from '../../service/clients/version-source.ts';
import { largeSources } from './large-source.ts';
import { median } from './statistics.ts';

/** Times of the archives of one client, in milliseconds. */
export interface ArchiveTimes {
  /** A language, or `all` for the whole set in sequence. */
  language: string;
  members: number;
  files: number;
  archiveBytes: number;
  /** First archive from the start of the thread, including loading and compiling the language and templates. */
  coldMs: number;
  /** Median of later archives in the same thread. The first language's time includes the model, which the languages share. */
  warmMs: number;
  /** Median time of archiver alone to write the same files, measured in alternation with `warmMs`. */
  zipMs: number;
}

/** Measures the archives of clients with this number of members, by language and as a set. */
export async function measureArchives(
  members: number,
  languages: readonly string[],
  budgetMs: number,
): Promise<ArchiveTimes[]> {
  const nextSource = await largeSources(members);
  const cold: number[] = [];
  for (const language of languages)
    cold.push(median(await repeat(3, () => coldBuild(nextSource(), language))));
  const loaded = await Promise.all(languages.map((language) => loadLanguage(language)));
  const models = createVersionModels();
  const rounds = loaded.map(() => ({ warm: [] as number[], zip: [] as number[], files: 0, archiveBytes: 0 }));
  const round = async (isWarmUp: boolean): Promise<void> => {
    const source = nextSource();
    for (const [index, { language, templates }] of loaded.entries()) {
      const into = rounds[index];
      if (into === undefined) throw new Error('every language has its rounds');
      const warm = await timed(() => generateSdk(models.modelOf(source), language, templates));
      const files = await sdkFiles(models.modelOf(source), language, templates);
      const zip = await timed(() => zipByArchiver(files));
      into.files = files.length;
      into.archiveBytes = warm.result.bytes.length;
      if (isWarmUp) continue;
      into.warm.push(warm.ms);
      into.zip.push(zip.ms);
    }
  };
  for (let warmUp = 0; warmUp < 5; warmUp += 1) await round(true);
  const end = performance.now() + budgetMs * languages.length;
  for (let i = 0; i < 5 || (performance.now() < end && i < 200); i += 1) await round(false);
  const rows = rounds.map(({ warm, zip, files, archiveBytes }, index) => ({
    language: languages[index] ?? '',
    members,
    files,
    archiveBytes,
    coldMs: cold[index] ?? 0,
    warmMs: median(warm),
    zipMs: median(zip),
  }));
  return languages.length > 1 ? [...rows, sumOf(rows)] : rows;
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

/** Builds one archive in a new thread, like the service. */
async function coldBuild(source: VersionSource, language: string): Promise<number> {
  const pool = createBuildPool();
  try {
    return (await timed(() => pool.build({ source, language }))).ms;
  } finally {
    await pool.close();
  }
}

/** Writes the files with archiver alone, with a zlib stream for each. */
async function zipByArchiver(files: readonly SdkFile[]): Promise<void> {
  const archive = new ZipArchive({ zlib: compression });
  for (const { path, content } of files) archive.append(Buffer.from(content), { name: path });
  archive.resume();
  await archive.finalize();
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (let i = 0; i < times; i += 1) results.push(await work());
  return results;
}
