import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeFiles } from '../support/cargo.ts';
import type { FuzzedArchive } from './names-check.ts';

/** Unpacks each archive into its own folder, calls `use`, and removes the folders. */
export async function inFolders<Result>(
  archives: readonly FuzzedArchive[],
  use: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = await mkdtemp(path.join(tmpdir(), 'svc-fuzz-'));
  try {
    await writeFiles(root, archiveFiles(archives));
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Returns the files of all archives, each in a folder with the archive's name. */
export function archiveFiles(archives: readonly FuzzedArchive[]): { path: string; content: string }[] {
  return archives.flatMap(({ name, files }) =>
    Array.from(files, ([file, content]) => ({ path: `${name}/${file}`, content })),
  );
}

/**
 * Returns the archives, all but the first without the runtime: compiling it again for each archive would take most of the time
 * and check nothing new. Code that calls the runtime must be redirected to that of the first archive.
 */
export function withOneRuntime(archives: readonly FuzzedArchive[]): FuzzedArchive[] {
  return [...archives.slice(0, 1), ...withoutRuntime(archives.slice(1))];
}

/** Returns the archives without the runtime. */
export function withoutRuntime(archives: readonly FuzzedArchive[]): FuzzedArchive[] {
  return archives.map((archive) => {
    const copied = copiedFiles(archive);
    return { ...archive, files: new Map([...archive.files].filter(([file]) => !copied.has(file))) };
  });
}

/** Returns the paths of the runtime in the archive. */
export function copiedFiles({ language, model, runtime }: FuzzedArchive): ReadonlySet<string> {
  const plan = language.plan(model);
  return new Set(Array.from(runtime, (file) => plan.runtimePath(file) ?? ''));
}
