import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../../generator/language.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import type { TemplateSet } from '../../generator/render/template-set.ts';
import type { Toolchain } from '../support/toolchains.ts';

/** An archive in a batch. */
export interface FuzzedArchive {
  /** Name of its folder, if it needs one: `m12`. */
  name: string;
  model: SdkModel;
  language: Language;
  files: ReadonlyMap<string, string>;
  /** Paths of the files that are the same in every archive. */
  runtime: ReadonlySet<string>;
}

/**
 * Checks archives of a language with the cheapest tools that find compile errors and ambiguous names. The file
 * `test/fuzz/checks/<id>.ts` exports it as `check`.
 */
export interface NamesCheck {
  toolchain: Toolchain;
  /** Checks many archives in as few processes as possible. Returns their problems, or an empty string. */
  problems(archives: readonly FuzzedArchive[]): Promise<string>;
}

const folder = path.join(import.meta.dirname, 'checks');

/** Returns the ids of the languages that have a check, sorted. */
export async function listChecks(): Promise<string[]> {
  return (await readdir(folder)).map((file) => file.replace(/\.ts$/, '')).sort();
}

export async function loadCheck(id: string): Promise<NamesCheck> {
  const { check } = (await import(path.join(folder, `${id}.ts`))) as { check: NamesCheck };
  return check;
}

/** @throws Error if the generator fails, which counts as a failure of the names */
export async function fuzzedArchive(
  name: string,
  model: SdkModel,
  { language, templates }: { language: Language; templates: TemplateSet },
): Promise<FuzzedArchive> {
  const files = await sdkFiles(model, language, templates);
  // Files that are compiled from others have no style to check.
  const sources = files.filter(({ path: file }) => !file.startsWith('dist/'));
  const texts = sources.map(({ path: file, content }): [string, string] => [
    file,
    Buffer.from(content).toString(),
  ]);
  return { name, model, language, files: new Map(texts), runtime: new Set(templates.runtime.keys()) };
}
