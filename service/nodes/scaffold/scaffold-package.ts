import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Language } from '../../../generator/language.ts';
import { makeFolder } from '../../objects/make-folder.ts';
import { compilePackage } from '../serve/compile-package.ts';
import { packageTypes } from '../serve/package-types.ts';

/** What a new package is called, and where it goes. */
interface NewPackage {
  /** The folder as the author named it, for the commands of the README. */
  dir: string;
  /** `<handle>/<name>` */
  name: string;
  /** Folder with the files of a package in the language of the handlers. */
  template: string;
  printTypes: NonNullable<Language['handlerTypes']>;
}

/** The package that the files of a template declare. */
const template = { name: 'acme/greeter', protoPackage: 'acme.greeter.v1', dir: '/tmp/greeter' };

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
    const text = (await readFile(source, 'utf8'))
      .replaceAll(template.protoPackage, protoPackageOf(name))
      .replaceAll(template.name, name)
      .replaceAll(template.dir, dir);
    // npm and git would read a file of that name in the template itself.
    await write(path.relative(folder, source).replace('_gitignore', '.gitignore'), text);
  }
  for (const { path: file, content } of await printTypes(packageTypes(await compilePackage(dir)))) {
    await write(file, String(content));
  }
  return written.sort();
}

/** `acme.big_greeter.v1` of `acme/big-greeter`. A part that begins with a digit gets a letter before it. */
function protoPackageOf(name: string): string {
  const parts = name.split(/[/.]/).map((part) => part.replace(/[^a-z0-9]/g, '_').replace(/^(?=\d)/, 'p'));
  return [...parts, 'v1'].join('.');
}
