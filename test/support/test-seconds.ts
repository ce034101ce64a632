import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isFastRun } from './fast-run.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const record = path.join(projectRoot, '.cache/test-seconds.txt');

/** Weight of a file without a record: about the median of files that start programs, that run twice, and of the others. */
const GUESSED_SECONDS = { program: 20, eachDatabase: 8, plain: 1 };

let startedAt = 0;

/** Root hooks: each file of a parallel run records its duration, for the order of the next run. */
export const mochaHooks: Mocha.RootHookObject = {
  beforeAll() {
    startedAt = performance.now();
  },
  afterAll(this: Mocha.Context) {
    const [absolute] = this.test?.parent?.suites.map((suite) => suite.file) ?? [];
    if (process.env.MOCHA_WORKER_ID === undefined || isFastRun() || absolute === undefined) return;
    const file = path.relative(projectRoot, absolute);
    // Files that tests of the test support create exist for one run only.
    if (file.includes('/.')) return;
    mkdirSync(path.dirname(record), { recursive: true });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    appendFileSync(record, `${seconds} ${file}\n`);
  },
};

/**
 * Sorts test files by their last duration, longest first, so that no worker is left with a long file at the end. A file
 * without a record counts as long if it needs a toolchain or a second database. Files of equal weight are mixed in a
 * stable order: files of one folder tend to wait for the same resources, and three waiting files leave the processors
 * idle.
 */
export function longestFirst(files: readonly string[]): string[] {
  const seconds = readRecord();
  const weightOf = (file: string): number => seconds.get(file) ?? guessedSeconds(file);
  return files
    .map((file) => ({ file, weight: weightOf(file), hash: createHash('sha256').update(file).digest('hex') }))
    .sort((a, b) => b.weight - a.weight || (a.hash < b.hash ? -1 : 1))
    .map(({ file }) => file);
}

/** Reads the last duration of each file. Rewrites the record to keep one line per file. */
function readRecord(): ReadonlyMap<string, number> {
  if (!existsSync(record)) return new Map();
  const lines = readFileSync(record, 'utf8').split('\n').filter(Boolean);
  const seconds = new Map(
    lines.map((line): [string, number] => {
      const at = line.indexOf(' ');
      return [line.slice(at + 1), Number(line.slice(0, at))];
    }),
  );
  writeFileSync(record, [...seconds].map(([file, each]) => `${each} ${file}\n`).join(''));
  return seconds;
}

function guessedSeconds(file: string): number {
  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  if (/\bsuiteNeeds\(|\bconformanceOf\(/.test(text)) return GUESSED_SECONDS.program;
  if (/\beach(?:Database|Service)\(/.test(text)) return GUESSED_SECONDS.eachDatabase;
  return GUESSED_SECONDS.plain;
}
