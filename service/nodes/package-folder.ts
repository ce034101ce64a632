import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { z } from 'zod';
import { publishBody, type PublishBody } from '../../specs/operations/package-shapes.ts';
import { documentProblems } from './document-problems.ts';
import { readYaml } from './read-yaml.ts';

/** A folder is not a valid package. The message has one line per problem, each with its file and field. */
export class PackageFolderError extends Error {
  override readonly name = 'PackageFolderError';
}

/** The fields of `package.yaml`. A token in a file next to the sources would be published with them. */
const declaration = publishBody.omit({ protos: true, token: true });

/**
 * Reads the package of a folder: `package.yaml`, described in docs/packages.md, and every .proto file of the folder tree. Import paths
 * start at `protos/` if that folder exists, and at the package folder otherwise.
 *
 * @returns the body of `POST /api/v1/packages`
 * @throws PackageFolderError
 */
export async function readPackageFolder(folder: string): Promise<PublishBody> {
  const declared = await readDeclaration(join(folder, 'package.yaml'));
  return { ...declared, protos: await readProtos(folder) };
}

async function readDeclaration(file: string): Promise<z.infer<typeof declaration>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new PackageFolderError(
      `${file} cannot be read (${reason(error)}): a package is a folder with package.yaml and .proto files`,
    );
  });
  const read = readYaml(text);
  if ('problem' in read) return fail([`${file}:${read.problem}`]);
  const problems = documentProblems(file, read, declaration);
  if (problems.length > 0) return fail(problems);
  return declaration.parse(read.value);
}

/** Returns the folder where the import paths of a package start. */
export async function protoRoot(folder: string): Promise<string> {
  const protos = join(folder, 'protos');
  return (await isFolder(protos)) ? protos : folder;
}

async function readProtos(folder: string): Promise<Record<string, string>> {
  const files = await findProtos(folder);
  const root = await protoRoot(folder);
  const outside = files.filter((file) => relative(root, file).startsWith('..'));
  if (outside.length > 0) {
    fail(outside.map((file) => `${file} is outside ${root}, where import paths start: move it there`));
  }
  if (files.length === 0)
    fail([`${folder} has no .proto file: add the files that define the messages of its nodes`]);
  const sources = files.map(async (file): Promise<[string, string]> => {
    return [relative(root, file).split(sep).join('/'), await readFile(file, 'utf8')];
  });
  return Object.fromEntries(await Promise.all(sources));
}

/** Returns sorted paths. Skips hidden entries and `node_modules`. */
async function findProtos(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<string[]> => {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return findProtos(path);
      return entry.name.endsWith('.proto') ? [path] : [];
    }),
  );
  return found.flat().sort();
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function fail(problems: readonly string[]): never {
  throw new PackageFolderError(problems.join('\n'));
}

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'it does not exist' : String(code ?? error);
}
