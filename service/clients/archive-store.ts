import { objectKey } from '../objects/object-key.ts';
import type { ObjectStore } from '../objects/object-store.ts';

/** Identifies the archives of one client. */
interface ClientArchives {
  tenantId: string;
  clientId: string;
}

/** Identifies one archive. The hash is part of the key, so a rebuild never changes an archive during its download. */
interface ArchiveKey extends ClientArchives {
  version: number;
  language: string;
  /** Of the archive's bytes, lower-case hex. */
  sha256: string;
}

/** The finished SDK archives. */
export interface ArchiveStore {
  /** Stores an archive durably. */
  put(key: ArchiveKey, bytes: Uint8Array): Promise<void>;
  /** Returns `undefined` if the archive is lost. */
  read(key: ArchiveKey): Promise<Uint8Array | undefined>;
  /** Deletes the other archives of the same version and language, which earlier releases of the generator built. */
  removeOthers(key: ArchiveKey): Promise<void>;
  /** Deletes every archive of a client. */
  removeClient(client: ClientArchives): Promise<void>;
  /** Rejects if archives cannot be written. */
  check(): Promise<void>;
}

/** Stores each archive under `<tenant>/<client>/<version>/<language>-<sha256>.zip`. */
export function createArchiveStore(objects: ObjectStore): ArchiveStore {
  return {
    put: async (key, bytes) => objects.put(archiveKey(key), bytes),
    read: async (key) => objects.get(archiveKey(key)),
    removeOthers: async (key) => {
      const prefix = `${objectKey(key.tenantId, key.clientId, String(key.version), key.language)}-`;
      for (const other of await objects.list(prefix)) {
        // `typescript-` is also the beginning of `typescript-browser-`.
        const sameLanguage = /^[0-9a-f]+\.zip$/.test(other.slice(prefix.length));
        if (sameLanguage && other !== archiveKey(key)) await objects.delete(other);
      }
    },
    removeClient: async ({ tenantId, clientId }) => objects.deleteAll(`${objectKey(tenantId, clientId)}/`),
    check: () => objects.check(),
  };
}

function archiveKey({ tenantId, clientId, version, language, sha256 }: ArchiveKey): string {
  return objectKey(tenantId, clientId, String(version), `${language}-${sha256}.zip`);
}
