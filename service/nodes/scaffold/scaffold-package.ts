import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../../../generator/language.ts';
import { makeFolder } from '../../objects/make-folder.ts';

/** The name and location of a new package. */
interface NewPackage {
  /** The folder as the author named it, for the commands of the README. */
  dir: string;
  /** `<handle>/<name>` */
  name: string;
  /** Folder with the files of a package in the language of the handlers. */
  template: string;
  /** Generates the types, which the template cannot contain. */
  printTypes?: Language['handlerTypes'];
}

/**
 * The names of a template's package in its files: in message sources, in `package.yaml`, in commands, as a Go
 * module, and as a program.
 */
const ownNames =
  /(?<proto>acme\.greeter\.v1)|(?<full>acme\/greeter)|(?<dir>\/tmp\/greeter)|(?<module>(?<=^module |^\t")greeter(?=\/|$))|\bgreeter\b/gm;

/**
 * Writes a package that runs, with the types of its messages.
 *
 * @returns the files, sorted, relative to the folder
 * @throws the file system's error
 */
export async function scaffoldPackage({
  dir,
  name,
  template: folder,
  printTypes,
}: NewPackage): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const written: string[] = [];
  const write = async (file: string, text: string): Promise<void> => {
    await makeFolder(path.dirname(path.join(dir, file)));
    await writeFile(path.join(dir, file), text);
    written.push(file);
  };
  for (const entry of entries) {
    if (!entry.isFile() || entry.parentPath.includes('__pycache__')) continue;
    const source = path.join(entry.parentPath, entry.name);
    const text = renamed(await readFile(source, 'utf8'), dir, name);
    // In the template itself, npm and git would read a file of that name.
    await write(path.relative(folder, source).replace('_gitignore', '.gitignore'), text);
  }
  if (printTypes !== undefined) {
    // Imported here, because loading the compiler takes most of the command's time.
    const { compilePackage } = await import('../serve/compile-package.ts');
    const { packageTypes } = await import('../serve/package-types.ts');
    for (const { path: file, content } of await printTypes(packageTypes(await compilePackage(dir)))) {
      await write(file, String(content));
    }
  }
  return written.sort();
}

/** Replaces the names in a template file with the new package's names. */
function renamed(text: string, dir: string, name: string): string {
  return text.replaceAll(ownNames, (...match) => {
    const found = match.at(-1) as Record<'proto' | 'full' | 'dir' | 'module', string | undefined>;
    if (found.proto !== undefined) return protoPackageOf(name);
    if (found.full !== undefined || found.module !== undefined) return name;
    return found.dir === undefined ? path.posix.basename(name) : dir;
  });
}

/** `acme.big_greeter.v1` of `acme/big-greeter`. A part that begins with a digit gets a letter before it. */
function protoPackageOf(name: string): string {
  const parts = name.split(/[/.]/).map((part) => part.replace(/[^a-z0-9]/g, '_').replace(/^(?=\d)/, 'p'));
  return [...parts, 'v1'].join('.');
}
