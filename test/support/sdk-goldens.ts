import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '../../generator/language.ts';
import type { TemplateSet } from '../../generator/render/template-set.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadSdkFixture, sdkFixturesDir } from './sdk-fixtures.ts';

/**
 * What an archive holds that is the case's own, by path. Left out is what is the same in every archive of a language: runtime
 * files, and documents without a view (`LICENSE`). Their checksums in MANIFEST.json are left out with them, so that an
 * expected output changes only when its case does.
 */
export async function goldenFiles(
  caseName: string,
  { language, templates }: { language: Language; templates: TemplateSet },
): Promise<Map<string, string>> {
  const model = await loadSdkFixture(caseName);
  const files = await sdkFiles(model, language, templates);
  const plan = language.plan(model);
  const documents = new Set<string | Uint8Array>(templates.documents.values());
  const runtime = new Set([...templates.runtime.keys()].map((file) => plan.runtimePath(file)));
  const own = new Map<string, string>();
  for (const { path: file, content } of files) {
    if (!documents.has(content) && !runtime.has(file))
      own.set(file, typeof content === 'string' ? content : decode(content));
  }
  const manifest = own.get('MANIFEST.json');
  if (manifest !== undefined) own.set('MANIFEST.json', withoutChecksums(manifest));
  return own;
}

/** Where the expected output of a case stands. */
export function goldenFolder(caseName: string, languageId: string): string {
  return path.join(sdkFixturesDir, caseName, 'expected', languageId);
}

/** The expected output of a case, by path; empty when none was written yet. */
export function readGolden(caseName: string, languageId: string): Map<string, string> {
  const folder = goldenFolder(caseName, languageId);
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

/** Replaces the expected output of a case. */
export function writeGolden(caseName: string, languageId: string, files: ReadonlyMap<string, string>): void {
  const folder = goldenFolder(caseName, languageId);
  rmSync(folder, { recursive: true, force: true });
  for (const [name, content] of files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function withoutChecksums(manifest: string): string {
  const { files, ...rest } = JSON.parse(manifest) as { files: Record<string, string> };
  return `${JSON.stringify({ ...rest, files: Object.keys(files) }, null, 2)}\n`;
}
