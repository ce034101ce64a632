import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command, Option } from 'commander';
import type { Language, SdkFile } from '../../../generator/language.ts';
import type { PackageTypes } from '../../../generator/model/package-types.ts';
import { handlerLanguages, languageOfPackage } from '../../languages/handler-languages.ts';
import { loadLanguageFile } from '../../languages/load-language.ts';
import { compilePackage, UnservablePackageError } from '../../nodes/serve/compile-package.ts';
import { packageTypes } from '../../nodes/serve/package-types.ts';
import { PluginError, runProtocPlugin } from '../../nodes/serve/run-protoc-plugin.ts';
import { makeFolder } from '../../objects/make-folder.ts';
import { CliError, note, type Terminal } from '../output.ts';

interface TypesFlags {
  language?: string;
  out?: string;
}

/** `svc node types <dir>`: writes the types of a package's messages next to its package.yaml, and prints the files. */
export function nodeTypesCommand(terminal: Terminal): Command {
  return new Command('types')
    .description("Write the types of a package's messages, for its handlers")
    .argument('<dir>', 'folder with package.yaml and .proto files')
    .addOption(
      new Option('--language <language>', 'language of the handlers (default: that of the package)').choices(
        handlerLanguages,
      ),
    )
    .option('--out <dir>', 'folder to write to (default: the folder of the package)')
    .action((dir: string, flags: TypesFlags) => writeTypes(terminal, dir, flags));
}

async function writeTypes(
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
