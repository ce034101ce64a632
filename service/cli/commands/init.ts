import path from 'node:path';
import { Command, Option } from 'commander';
import { packageName } from '../../../specs/operations/package-shapes.ts';
import { handlerLanguages, packageTemplate } from '../../languages/handler-languages.ts';
import { loadLanguageFile } from '../../languages/load-language.ts';
import { scaffoldPackage } from '../../nodes/scaffold/scaffold-package.ts';
import { isEmptyFolder } from '../is-empty-folder.ts';
import { CliError, note, type Terminal, UsageError } from '../output.ts';

interface InitFlags {
  language: string;
  name?: string;
}

/** `svc init package <dir>`: writes a package that runs, with a test and a README, and prints the files and the next steps. */
export function initCommand(terminal: Terminal): Command {
  return new Command('init').addCommand(
    new Command('package')
      .description('Write a package that runs: nodes, messages, handlers, a test and a README')
      .argument('<dir>', 'new or empty folder')
      .addOption(
        new Option('--language <language>', 'language of the handlers')
          .choices(handlerLanguages)
          .default('typescript'),
      )
      .option('--name <name>', 'name of the package, <handle>/<name> (default: acme/<name of the folder>)')
      .action((dir: string, flags: InitFlags) => init(terminal, dir, flags)),
  );
}

async function init(terminal: Terminal, dir: string, flags: InitFlags): Promise<void> {
  const name = nameOf(dir, flags.name);
  const language = await loadLanguageFile(flags.language);
  await requireEmpty(dir);
  const files = await scaffoldPackage({
    // The README has the path. An absolute one would be that of the author's machine.
    dir: path.relative('', dir) || '.',
    name,
    template: packageTemplate(flags.language),
    printTypes: language.handlerTypes,
  });
  for (const file of files) terminal.stdout.write(`${path.join(dir, file)}\n`);
  note(terminal, `wrote the package ${name}: ${path.join(dir, 'README.md')} has the next steps`);
}

/** @throws UsageError for a name that cannot be published */
function nameOf(dir: string, given: string | undefined): string {
  const name = given ?? `acme/${path.basename(path.resolve(dir))}`;
  if (packageName.safeParse(name).success) return name;
  throw new UsageError(
    `"${name}" is not a name of a package: set --name <handle>/<name> in lower case, for example --name acme/greeter`,
  );
}

/** Files that exist could be part of another project. The path goes into commands of the README as it is. */
async function requireEmpty(dir: string): Promise<void> {
  if (!/^[\w./~+@:-]+$/.test(dir)) {
    throw new UsageError(
      `"${dir}" has characters that a shell would read: choose a path of letters, digits and ._-/`,
    );
  }
  if (await isEmptyFolder(dir)) return;
  throw new CliError(`${dir} is not empty: choose a new or empty folder`);
}
