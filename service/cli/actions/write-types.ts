import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language, SdkFile } from '../../../generator/language.ts';
import type { PackageTypes } from '../../../generator/model/package-types.ts';
import { languageOfPackage } from '../../languages/handler-languages.ts';
import { loadLanguageFile } from '../../languages/load-language.ts';
import { compilePackage, UnservablePackageError } from '../../nodes/serve/compile-package.ts';
import { packageTypes } from '../../nodes/serve/package-types.ts';
import { PluginError, runProtocPlugin } from '../../nodes/serve/run-protoc-plugin.ts';
import { makeFolder } from '../../objects/make-folder.ts';
import { CliError, note, type Terminal } from '../output.ts';

/** The options of `svc node types`. */
export interface TypesFlags {
  /** One of `handlerLanguages`. Default: the language of the package. */
  language?: string;
  /** Folder to write to. Default: the folder of the package. */
  out?: string;
}

/** Writes the types of a package's messages, and prints the files. */
export async function writeTypes(
  terminal: Terminal,
  dir: string,
  { language = languageOfPackage(dir), out = dir }: TypesFlags,
): Promise<void> {
  const compiled = await compilePackage(path.resolve(dir)).catch((error: unknown) => {
    throw error instanceof UnservablePackageError ? new CliError(error.message) : error;
  });
  const types = packageTypes(compiled);
  const files = await printTypes(await loadLanguageFile(language), types, path.resolve(dir));
  for (const { path: name, content } of files) {
    await makeFolder(path.dirname(path.join(out, name)));
    await writeFile(path.join(out, name), content).catch((error: unknown) => {
      throw new CliError(`cannot write ${path.join(out, name)}: ${(error as Error).message}`);
    });
    terminal.stdout.write(`${path.join(out, name)}\n`);
  }
  note(terminal, `wrote the types of ${types.name} ${types.version}`);
}

async function printTypes(
  { handlerTypes, handlerPlugin }: Language,
  types: PackageTypes,
  dir: string,
): Promise<SdkFile[]> {
  if (handlerTypes !== undefined) return handlerTypes(types);
  if (handlerPlugin === undefined) return [];
  return runProtocPlugin(handlerPlugin, types, dir).catch((error: unknown) => {
    throw error instanceof PluginError ? new CliError(error.message) : error;
  });
}
