import { randomBytes } from 'node:crypto';
import { access, constants, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../store/make-folder.ts';

/** The archives of one client. */
export interface ClientArchives {
  tenantId: string;
  clientId: string;
}

/** One archive. Its content is part of its name, so that a rebuild never changes what somebody is downloading. */
export interface ArchiveKey extends ClientArchives {
  version: number;
  language: string;
  /** Of the bytes, lower-case hex. */
  sha256: string;
}

/** Where finished archives are kept. */
export interface ArchiveStore {
  /** Whole or not at all, and on disk before it resolves. */
  put(key: ArchiveKey, bytes: Uint8Array): Promise<void>;
  /** `undefined`: it is lost. */
  read(key: ArchiveKey): Promise<Uint8Array | undefined>;
  /** Drops what the same version and language was built to before, by another release of the generator. */
  removeOthers(key: ArchiveKey): Promise<void>;
  removeClient(client: ClientArchives): Promise<void>;
  /** Rejects when archives can't be written. */
  check(): Promise<void>;
}

/**
 * Archives as files: `<dataDir>/archives/<tenant>/<client>/<version>/<language>-<sha256>.zip`. Replicas share them by sharing
 * the folder.
 */
export function createArchiveStore(dataDir: string): ArchiveStore {
  const root = join(dataDir, 'archives');
  const folderOf = ({ tenantId, clientId }: ClientArchives): string =>
    join(root, pathPart(tenantId), pathPart(clientId));
  const fileOf = (key: ArchiveKey): string =>
    join(folderOf(key), String(key.version), `${pathPart(key.language)}-${pathPart(key.sha256)}.zip`);

  return {
    put: async (key, bytes) => {
      await writeDurably(fileOf(key), bytes);
    },
    read: async (key) => {
      try {
        return await readFile(fileOf(key));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    removeOthers: async (key) => {
      const file = fileOf(key);
      const older = new RegExp(`^${key.language}-[0-9a-f]+\\.zip$`);
      for (const name of await entriesOf(dirname(file))) {
        if (older.test(name) && name !== basename(file)) await rm(join(dirname(file), name), { force: true });
      }
    },
    removeClient: async (client) => {
      await rm(folderOf(client), { recursive: true, force: true });
    },
    check: async () => {
      await makeFolder(root);
      await access(root, constants.W_OK);
    },
  };
}

/** Ids and language names are ours; that none of them leads out of the folder is checked all the same. */
function pathPart(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(text)) throw new Error(`not a part of an archive's name: "${text}"`);
  return text;
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await using file = await open(temporary, 'wx');
    await file.writeFile(bytes);
    await file.sync();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // The new name is an entry of the folder, and only on disk once the folder is.
  await using directory = await open(folder, 'r');
  await directory.sync();
}

/** None when the folder is gone: its client was deleted. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
