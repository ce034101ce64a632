import { createHash, randomBytes } from 'node:crypto';
import { access, constants, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Bytes too large for a row, kept beside the database. */
export interface BlobStore {
  /**
   * Keeps bytes of an execution, whole or not at all, and on disk before it resolves.
   *
   * @returns the name to read them by; the same bytes of the same execution have the same
   */
  put(tenantId: string, executionId: string, bytes: Uint8Array): Promise<string>;
  /** @throws Error when it is lost */
  read(tenantId: string, executionId: string, name: string): Promise<Uint8Array>;
  /** Removes all of an execution. */
  remove(tenantId: string, executionId: string): Promise<void>;
  /** Rejects when blobs can't be written. */
  check(): Promise<void>;
}

/**
 * Blobs as files: `<dataDir>/blobs/<tenant>/<execution>/<sha256>`. Replicas share them by sharing the folder.
 */
export function createBlobStore(dataDir: string): BlobStore {
  const root = path.join(dataDir, 'blobs');
  const folderOf = (tenantId: string, executionId: string): string =>
    path.join(root, pathPart(tenantId), pathPart(executionId));

  return {
    put: async (tenantId, executionId, bytes) => {
      const name = createHash('sha256').update(bytes).digest('hex');
      await writeDurably(path.join(folderOf(tenantId, executionId), name), bytes);
      return name;
    },
    read: async (tenantId, executionId, name) => {
      const { buffer, byteOffset, byteLength } = await readFile(
        path.join(folderOf(tenantId, executionId), pathPart(name)),
      );
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
    remove: (tenantId, executionId) => rm(folderOf(tenantId, executionId), { recursive: true, force: true }),
    check: async () => {
      await makeFolder(root);
      await access(root, constants.W_OK);
    },
  };
}

/** Ids are ours; that none of them leads out of the folder is checked all the same. */
function pathPart(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(text)) throw new Error(`not a part of a blob's name: "${text}"`);
  return text;
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  await makeFolder(folder);
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await using handle = await open(temporary, 'wx');
    await handle.writeFile(bytes);
    await handle.sync();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // The new name is an entry of the folder, and only on disk once the folder is.
  await using directory = await open(folder, 'r');
  await directory.sync();
}
