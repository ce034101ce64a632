import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '../../generator/language.ts';
import type { TemplateSet } from '../../generator/render/template-set.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { lineDiff } from './line-diff.ts';
import { keepsHashes, loadSdkFixture, sdkFixturesDir } from './sdk-fixtures.ts';

/**
 * Returns the files of an archive that depend on the case, by path. It omits the runtime, which is the same in every
 * archive of a language; `LICENSE`, which is the same in every language; and compiled files (`dist/`). MANIFEST.json
 * has no checksums, so that a change of the runtime leaves the expected output of every case unchanged.
 */
export async function goldenFiles(
  caseName: string,
  { language, templates }: { language: Language; templates: TemplateSet },
): Promise<Map<string, string>> {
  const model = await loadSdkFixture(caseName);
  const files = await sdkFiles(model, language, templates);
  const plan = language.plan(model);
  const runtime = new Set([...templates.runtime.keys()].map((file) => plan.runtimePath(file)));
  const own = new Map<string, string>();
  for (const { path: file, content } of files) {
    if (file !== 'LICENSE' && !runtime.has(file) && !isCompiled(file))
      own.set(file, typeof content === 'string' ? content : decode(content));
  }
  const manifest = own.get('MANIFEST.json');
  if (manifest !== undefined) own.set('MANIFEST.json', withoutChecksums(manifest));
  return own;
}

/** Describes each file that differs from the expected output of its case; empty if none differs. */
export function goldenDifferences(
  caseName: string,
  languageId: string,
  printed: ReadonlyMap<string, string>,
): string[] {
  if (keepsHashes(caseName)) {
    const expected = readHashes(hashFile(caseName, languageId));
    const actual = new Map([...printed].map(([file, content]) => [file, sha256(content)]));
    return changedPaths(expected, actual).map((file) => `${file}: ${kindOfChange(file, expected, actual)}`);
  }
  const expected = readFiles(filesFolder(caseName, languageId));
  return changedPaths(expected, printed).map(
    (file) => `${file}\n${lineDiff(expected.get(file) ?? '', printed.get(file) ?? '')}`,
  );
}

/** Explains how to view the differences that `goldenDifferences` lists, and how to accept them. */
export function goldenAdvice(caseName: string, languageId: string): string {
  const accept = 'If the change is intended, run `npm run golden`.';
  if (!keepsHashes(caseName)) return `${filesFolder(caseName, languageId)} differs. ${accept}`;
  return (
    `${hashFile(caseName, languageId)} differs. To see how, run \`npm run golden -- --to <folder> ${languageId}\` ` +
    `on this commit and on the one before, and compare the folders. ${accept}`
  );
}

/** Replaces the expected output of a case. */
export function writeGolden(caseName: string, languageId: string, files: ReadonlyMap<string, string>): void {
  rmSync(filesFolder(caseName, languageId), { recursive: true, force: true });
  rmSync(hashFile(caseName, languageId), { force: true });
  if (!keepsHashes(caseName)) {
    writeFiles(filesFolder(caseName, languageId), files);
    return;
  }
  const lines = [...files.keys()].sort().map((file) => `${sha256(files.get(file) ?? '')}  ${file}\n`);
  const target = hashFile(caseName, languageId);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, lines.join(''));
}

/** Writes files below a folder, which it creates. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [name, content] of files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

function filesFolder(caseName: string, languageId: string): string {
  return path.join(sdkFixturesDir, caseName, 'expected', languageId);
}

/** Returns the path of the hashes of a case, with one line per file in the format of `sha256sum`. */
function hashFile(caseName: string, languageId: string): string {
  return path.join(sdkFixturesDir, caseName, 'expected', `${languageId}.sha256`);
}

/** Empty until the first `npm run golden`. */
function readFiles(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map((entry): [string, string] => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file).split(path.sep).join('/'), readFileSync(file, 'utf8')];
    }),
  );
}

/** Empty until the first `npm run golden`. */
function readHashes(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line): [string, string] => [line.slice(66), line.slice(0, 64)]));
}

function changedPaths(expected: ReadonlyMap<string, string>, actual: ReadonlyMap<string, string>): string[] {
  return [...new Set([...expected.keys(), ...actual.keys()])]
    .sort()
    .filter((file) => expected.get(file) !== actual.get(file));
}

function kindOfChange(
  file: string,
  expected: ReadonlyMap<string, string>,
  actual: ReadonlyMap<string, string>,
): string {
  if (!expected.has(file)) return 'not expected';
  return actual.has(file) ? 'differs' : 'missing';
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Reports whether a file is compiled from others of the archive. */
function isCompiled(file: string): boolean {
  return file.startsWith('dist/');
}

function withoutChecksums(manifest: string): string {
  const { files, ...rest } = JSON.parse(manifest) as { files: Record<string, string> };
  const sources = Object.keys(files).filter((file) => !isCompiled(file));
  return `${JSON.stringify({ ...rest, files: sources }, null, 2)}\n`;
}
