import { createHash } from 'node:crypto';
import { objectKey } from './object-key.ts';
import type { ObjectStore } from './object-store.ts';

/** The large messages of executions, which are too large for a journal row. They are kept as long as the journal is. */
export interface BlobStore {
  /**
   * Stores bytes of an execution durably.
   *
   * @returns the name to read them by, which is the SHA-256 of the bytes
   * @throws BlobUnavailableError
   */
  put(tenantId: string, executionId: string, bytes: Uint8Array): Promise<string>;
  /** @throws Error if the blob is missing */
  read(tenantId: string, executionId: string, name: string): Promise<Uint8Array>;
  /** Deletes every blob of an execution. Succeeds if there are none. */
  remove(tenantId: string, executionId: string): Promise<void>;
  /** Rejects if blobs cannot be written. */
  check(): Promise<void>;
}

/** The storage of blobs accepts none at the moment. */
export class BlobUnavailableError extends Error {
  override readonly name = 'BlobUnavailableError';
}

/** Stores each blob under `<tenant>/<execution>/<sha256>`. */
export function createBlobStore(objects: ObjectStore): BlobStore {
  return {
    put: async (tenantId, executionId, bytes) => {
      const name = createHash('sha256').update(bytes).digest('hex');
      await objects.put(objectKey(tenantId, executionId, name), bytes).catch((error: unknown) => {
        throw new BlobUnavailableError('a blob could not be stored', { cause: error });
      });
      return name;
    },
    read: async (tenantId, executionId, name) => {
      const key = objectKey(tenantId, executionId, name);
      const bytes = await objects.get(key);
      if (!bytes) throw new Error(`blob ${key} is missing`);
      return bytes;
    },
    remove: async (tenantId, executionId) => objects.deleteAll(`${objectKey(tenantId, executionId)}/`),
    check: () => objects.check(),
  };
}
