import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeFiles } from '../support/cargo.ts';
import type { FuzzedArchive } from './names-check.ts';

/** Unpacks archives, a folder each, lets `use` look at them, and removes them. */
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

/** Files of all archives, each beneath the archive's name. */
export function archiveFiles(archives: readonly FuzzedArchive[]): { path: string; content: string }[] {
  return archives.flatMap(({ name, files }) =>
    Array.from(files, ([file, content]) => ({ path: `${name}/${file}`, content })),
  );
}

/**
 * The archives without the runtime, but for the first: compiling it again for each costs far more than what is the archive's
 * own, and says nothing new. What calls the runtime has to be pointed at the first one's.
 */
export function withOneRuntime(archives: readonly FuzzedArchive[]): FuzzedArchive[] {
  return [...archives.slice(0, 1), ...withoutRuntime(archives.slice(1))];
}

/** The archives without the runtime. */
export function withoutRuntime(archives: readonly FuzzedArchive[]): FuzzedArchive[] {
  return archives.map((archive) => {
    const copied = copiedFiles(archive);
    return { ...archive, files: new Map([...archive.files].filter(([file]) => !copied.has(file))) };
  });
}

/** Paths in the archive of what is the runtime's. */
export function copiedFiles({ language, model, runtime }: FuzzedArchive): ReadonlySet<string> {
  const plan = language.plan(model);
  return new Set(Array.from(runtime, (file) => plan.runtimePath(file) ?? ''));
}
