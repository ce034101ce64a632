import { copiedFiles } from './archive-folders.ts';
import type { FuzzedArchive } from './names-check.ts';

export interface CsharpSource {
  path: string;
  content: string;
}

/** Namespace of the runtime that all archives share. */
export const sharedCsharpRuntime = 'SharedRuntime';

/**
 * Returns the sources of all archives for one compilation: the runtime of the first, in another namespace, and the own sources of
 * each. The compilation needs a global `using` of the runtime.
 *
 * @param ownSources returns the files of an archive for the compiler, in a folder with its name
 */
export function sourcesAroundOneCsharpRuntime(
  archives: readonly FuzzedArchive[],
  ownSources: (archive: FuzzedArchive) => CsharpSource[],
): CsharpSource[] {
  return archives.flatMap((archive, index) => {
    const copied = copiedFiles(archive);
    const namespace = namespaceOf(archive);
    return ownSources(archive).flatMap((source): CsharpSource[] => {
      const file = source.path.slice(archive.name.length + 1);
      if (!copied.has(file) || file.startsWith('tests/')) return [source];
      if (index > 0) return [];
      return [{ ...source, content: source.content.replaceAll(namespace, sharedCsharpRuntime) }];
    });
  });
}

export function namespaceOf({ files }: FuzzedArchive): string {
  return /^namespace (\S+);$/m.exec(files.get('src/Client.cs') ?? '')?.[1] ?? '';
}
