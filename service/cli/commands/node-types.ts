import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { handlerLanguages } from '../../languages/handler-languages.ts';
import { compilePackage, UnservablePackageError } from '../../nodes/serve/compile-package.ts';
import { packageTypes } from '../../nodes/serve/package-types.ts';
import { CliError, note, type Terminal, UsageError } from '../output.ts';

interface TypesFlags {
  language: string;
  out?: string;
}

/** `svc node types <dir>`: writes the types of a package's messages next to its package.yaml, and prints the files. */
export function nodeTypesCommand(terminal: Terminal): Command {
  return new Command('types')
    .description("Write the types of a package's messages, for its handlers")
    .argument('<dir>', 'folder with package.yaml and .proto files')
    .option('--language <language>', 'typescript or python', 'typescript')
    .option('--out <dir>', 'folder to write to (default: the folder of the package)')
    .action((dir: string, flags: TypesFlags) => writeTypes(terminal, dir, flags));
}

async function writeTypes(
  terminal: Terminal,
  dir: string,
  { language, out = dir }: TypesFlags,
): Promise<void> {
  const languages = await handlerLanguages();
  const printTypes = languages.get(language);
  if (printTypes === undefined) {
    const known = [...languages.keys()].join(', ');
    throw new UsageError(`no types for "${language}": --language is one of ${known}`);
  }
  const compiled = await compilePackage(path.resolve(dir)).catch((error: unknown) => {
    throw error instanceof UnservablePackageError ? new CliError(error.message) : error;
  });
  const types = packageTypes(compiled);
  const files = await printTypes(types);
  for (const { path: name, content } of files) {
    await writeFile(path.join(out, name), content).catch((error: unknown) => {
      throw new CliError(`cannot write ${path.join(out, name)}: ${(error as Error).message}`);
    });
    terminal.stdout.write(`${path.join(out, name)}\n`);
  }
  note(terminal, `wrote the types of ${types.name} ${types.version}`);
}
