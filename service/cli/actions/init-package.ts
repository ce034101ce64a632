import path from 'node:path';
import { packageName } from '../../../specs/operations/package-shapes.ts';
import { packageTemplate } from '../../languages/handler-languages.ts';
import { loadLanguageFile } from '../../languages/load-language.ts';
import { scaffoldPackage } from '../../nodes/scaffold/scaffold-package.ts';
import { isEmptyFolder } from '../is-empty-folder.ts';
import { CliError, note, type Terminal, UsageError } from '../output.ts';

/** The options of `svc init package`. */
export interface InitFlags {
  /** One of `handlerLanguages`. */
  language: string;
  /** `<handle>/<name>`. Default: `acme/<name of the folder>`. */
  name?: string;
}

/** Writes a package that runs into an empty folder, and prints its files. */
export async function initPackage(terminal: Terminal, dir: string, flags: InitFlags): Promise<void> {
  const name = nameOf(dir, flags.name);
  await requireEmpty(dir);
  const files = await scaffoldPackage({
    dir: folderText(dir),
    name,
    template: packageTemplate(flags.language),
    // Python's types contain the compiled messages, which depend on the package's name. TypeScript's come with the template, and Go's
    // are written by the author's protoc-gen-go.
    ...(flags.language === 'python' && { printTypes: (await loadLanguageFile('python')).handlerTypes }),
  });
  for (const file of files) terminal.stdout.write(`${path.join(dir, file)}\n`);
  note(terminal, `wrote the package ${name}: ${path.join(dir, 'README.md')} has the next steps`);
}

/** The folder as the README's commands name it: relative to the current folder, or as given if it is outside. */
function folderText(dir: string): string {
  const inside = path.relative('', dir);
  return inside.startsWith('..') ? path.join(path.dirname(dir), path.basename(dir)) : inside || '.';
}

/** @throws UsageError for a name that cannot be published */
function nameOf(dir: string, given: string | undefined): string {
  const name = given ?? `acme/${path.basename(path.resolve(dir))}`;
  if (packageName.safeParse(name).success) return name;
  throw new UsageError(
    `"${name}" is not a name of a package: set --name <handle>/<name> in lower case, for example --name acme/greeter`,
  );
}

/** Existing files could belong to another project. The README's commands contain the path unchanged. */
async function requireEmpty(dir: string): Promise<void> {
  if (!/^[\w./~+@:-]+$/.test(dir)) {
    throw new UsageError(
      `"${dir}" has characters that a shell would read: choose a path of letters, digits and ._-/`,
    );
  }
  if (await isEmptyFolder(dir)) return;
  throw new CliError(`${dir} is not empty: choose a new or empty folder`);
}
