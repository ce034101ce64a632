import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import type { Language } from '../../../generator/language.ts';
import { listLanguages, loadLanguageFile } from '../../languages/load-language.ts';
import { compilePackage, UnservablePackageError } from '../../nodes/serve/compile-package.ts';
import { packageTypes } from '../../nodes/serve/package-types.ts';
import { CliError, note, type Terminal, UsageError } from '../output.ts';

/** `svc node types <dir>`: writes the types of a package's messages next to its package.yaml, and prints the files. */
export function nodeTypesCommand(terminal: Terminal): Command {
  return new Command('types')
    .description("Write the types of a package's messages, for its handlers")
    .argument('<dir>', 'folder with package.yaml and .proto files')
    .option('--language <language>', 'typescript or python', 'typescript')
    .action((dir: string, { language }: { language: string }) => writeTypes(terminal, dir, language));
}

async function writeTypes(terminal: Terminal, dir: string, language: string): Promise<void> {
  const printTypes = await findPrinter(language);
  const compiled = await compilePackage(path.resolve(dir)).catch((error: unknown) => {
    throw error instanceof UnservablePackageError ? new CliError(error.message) : error;
  });
  const types = packageTypes(compiled);
  const files = await printTypes(types);
  for (const { path: name, content } of files) {
    await writeFile(path.join(dir, name), content);
    terminal.stdout.write(`${path.join(dir, name)}\n`);
  }
  note(terminal, `wrote the types of ${types.name} ${types.version}`);
}

/** @throws UsageError for a language without types for handlers */
async function findPrinter(id: string): Promise<NonNullable<Language['handlerTypes']>> {
  const languages = await Promise.all((await listLanguages()).map((each) => loadLanguageFile(each)));
  const printer = languages.find((language) => language.id === id)?.handlerTypes;
  if (printer !== undefined) return printer;
  const known = languages.filter(({ handlerTypes }) => handlerTypes !== undefined).map((each) => each.id);
  throw new UsageError(`no types for "${id}": --language is one of ${known.join(', ')}`);
}
