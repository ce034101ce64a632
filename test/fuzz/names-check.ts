import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../../generator/language.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import type { TemplateSet } from '../../generator/render/template-set.ts';
import type { Toolchain } from '../support/toolchains.ts';

/** An archive of a batch. */
export interface FuzzedArchive {
  /** Of its folder, if it needs one: `m12`. */
  name: string;
  model: SdkModel;
  language: Language;
  files: ReadonlyMap<string, string>;
  /** Paths of the files that are the same in every archive. */
  runtime: ReadonlySet<string>;
}

/**
 * Checks the names of a language, by the cheapest tool that finds errors of compilation and ambiguous names. A language is
 * found by its file name, `test/fuzz/checks/<id>.ts`, which exports this as `check`.
 */
export interface NamesCheck {
  toolchain: Toolchain;
  /** Checks many archives in as few processes as possible. Returns their problems; empty without any. */
  problems(archives: readonly FuzzedArchive[]): Promise<string>;
}

const folder = path.join(import.meta.dirname, 'checks');

/** Ids of the languages whose names can be checked, sorted. */
export async function listChecks(): Promise<string[]> {
  return (await readdir(folder)).map((file) => file.replace(/\.ts$/, '')).sort();
}

export async function loadCheck(id: string): Promise<NamesCheck> {
  const { check } = (await import(path.join(folder, `${id}.ts`))) as { check: NamesCheck };
  return check;
}

/** @throws Error when the generator cannot make it, which is a failure of its names too. */
export async function fuzzedArchive(
  name: string,
  model: SdkModel,
  { language, templates }: { language: Language; templates: TemplateSet },
): Promise<FuzzedArchive> {
  const files = await sdkFiles(model, language, templates);
  // What is compiled from other files of the archive has no style of its own.
  const sources = files.filter(({ path: file }) => !file.startsWith('dist/'));
  const texts = sources.map(({ path: file, content }): [string, string] => [
    file,
    Buffer.from(content).toString(),
  ]);
  return { name, model, language, files: new Map(texts), runtime: new Set(templates.runtime.keys()) };
}
