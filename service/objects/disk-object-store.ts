import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isFolder, makePrivateFolder } from './make-folder.ts';
import { isObjectKey, requireKeyPrefix, requireObjectKey } from './object-key.ts';
import type { ObjectStore } from './object-store.ts';
import { probeFolder } from './probe-folder.ts';
import { writeDurably } from './write-durably.ts';

/** Stores each object as the file `<root>/<key>`. Replicas share the store by sharing the folder. */
export function createDiskObjectStore(root: string): ObjectStore {
  const fileOf = (key: string): string => {
    requireObjectKey(key);
    return path.join(root, key);
  };

  return {
    put: async (key, bytes) => writeDurably(fileOf(key), bytes),
    get: async (key) => {
      const found = await unlessAbsent(readFile(fileOf(key)));
      return found && new Uint8Array(found.buffer, found.byteOffset, found.byteLength);
    },
    delete: async (key) => {
      await unlessAbsent(rm(fileOf(key)));
    },
    deleteAll: async (prefix) => {
      if (!prefix.endsWith('/')) throw new Error(`the prefix must end in "/": "${prefix}"`);
      // A concurrent writer may add a file; the next attempt deletes it, too.
      await rm(fileOf(prefix.slice(0, -1)), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    },
    list: async (prefix) => {
      requireKeyPrefix(prefix);
      const files = await filesIn(path.join(root, prefix.slice(0, prefix.lastIndexOf('/') + 1)));
      return files
        .map((file) => path.relative(root, file).split(path.sep).join('/'))
        .filter((key) => key.startsWith(prefix) && isObjectKey(key))
        .sort();
    },
    check: async () => {
      // Never creates the parents: a data folder that was removed, or whose disk is not mounted, must not be
      // recreated empty.
      if (await isFolder(path.dirname(root))) await makePrivateFolder(root);
      await probeFolder(root);
    },
  };
}

/** Lists every file under a folder. Folders that are deleted concurrently count as empty. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = (await unlessAbsent(readdir(folder, { withFileTypes: true }))) ?? [];
  const files = entries.map(async (entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(file) : [file];
  });
  return (await Promise.all(files)).flat();
}

/** Error codes for a missing file, for a folder in place of a file, and for a file in place of a folder. */
const absent = ['ENOENT', 'EISDIR', 'ERR_FS_EISDIR', 'ENOTDIR'];

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (absent.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
