import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import project from '../../../package.json' with { type: 'json' };
import { isoTime, systemClock } from '../../clock.ts';
import { createDiskObjectStore } from '../../objects/disk-object-store.ts';
import { openPrivateFile, privateFileMode } from '../../objects/private-file.ts';
import { syncFolder } from '../../objects/write-durably.ts';
import { sqliteFile } from '../../store/sqlite-file.ts';
import {
  backupFormat,
  type BackupManifest,
  databaseName,
  manifestName,
  objectFolders,
  sumsName,
} from './backup-format.ts';
import { type KeyFile, readKeyFiles } from './key-files.ts';
import { type Snapshot, snapshotDatabase } from './snapshot-database.ts';

interface WrittenBackup {
  manifest: BackupManifest;
  bytes: number;
  /** Objects by their folder. */
  objects: Readonly<Record<string, number>>;
}

/**
 * Writes a data folder with SQLite to one private file, even while a service uses it. The file gets its name once it is complete
 * and on disk.
 *
 * @param withKey whether to include the encryption key
 * @throws CliError if the database is damaged, or the data folder does not have the key; `EEXIST` if the file exists
 */
export async function writeBackup(
  dataDir: string,
  file: string,
  { withKey }: { withKey: boolean },
): Promise<WrittenBackup> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const copy = `${temporary}.db`;
  try {
    await (await openPrivateFile(copy, 'wx')).close();
    // The database is copied first, because objects are stored before the rows that refer to them.
    const snapshot = await snapshotDatabase(sqliteFile(dataDir), copy);
    const keyFiles = withKey ? await readKeyFiles(dataDir, snapshot.sealingKey) : [];
    const manifest = manifestOf(snapshot, keyFiles);
    await using out = await openPrivateFile(temporary, 'wx');
    const pack = tar.pack();
    // The library's types do not declare that it is iterable.
    const written = writeChunks(out, pack as unknown as AsyncIterable<Uint8Array>);
    const filled = fill(pack, { dataDir, copy, manifest, keyFiles });
    // If the disk is full, writing fails and the entries are no longer read.
    filled.catch(() => undefined);
    await Promise.race([filled, written]);
    const objects = await filled;
    await written;
    await out.sync();
    const { size: bytes } = await out.stat();
    await place(temporary, file);
    await syncFolder(path.dirname(file));
    return { manifest, bytes, objects };
  } finally {
    for (const left of [temporary, copy, `${copy}-journal`]) await rm(left, { force: true });
  }
}

/** Error codes of file systems without hard links, such as some network shares. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Gives a finished backup its name. Unlike a rename, a link fails with `EEXIST` if another backup has taken the name meanwhile. */
async function place(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (!noLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await rename(temporary, file);
  }
}

async function writeChunks(out: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) await out.writeFile(chunk);
}

function manifestOf({ migrations, sealingKey }: Snapshot, keyFiles: readonly KeyFile[]): BackupManifest {
  return {
    format: backupFormat,
    svc: project.version,
    created_at: isoTime(systemClock.now()),
    migrations,
    key: keyFiles.length > 0 ? 'included' : sealingKey === undefined ? 'unused' : 'kept apart',
  };
}

interface Parts {
  dataDir: string;
  copy: string;
  manifest: BackupManifest;
  keyFiles: readonly KeyFile[];
}

async function fill(
  pack: tar.Pack,
  { dataDir, copy, manifest, keyFiles }: Parts,
): Promise<Readonly<Record<string, number>>> {
  const sums: string[] = [];
  const addBytes = (name: string, text: string): void => {
    pack.entry({ name, mode: privateFileMode }, text);
    sums.push(`${createHash('sha256').update(text).digest('hex')}  ${name}\n`);
  };
  const addFile = async (name: string, from: string): Promise<void> => {
    await using handle = await open(from);
    sums.push(`${await addEntry(pack, name, handle)}  ${name}\n`);
  };

  addBytes(manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
  await addFile(databaseName, copy);
  for (const { name, text } of keyFiles) addBytes(name, text);
  const objects: Record<string, number> = {};
  for (const folder of objectFolders) {
    objects[folder] = 0;
    for (const key of await createDiskObjectStore(path.join(dataDir, folder)).list('')) {
      const added = addFile(`${folder}/${key}`, path.join(dataDir, folder, key));
      if (await unlessDeleted(added)) objects[folder] += 1;
    }
  }
  addBytes(sumsName, sums.join(''));
  pack.finalize();
  return objects;
}

/** Adds the content of a file, and returns its SHA-256. */
async function addEntry(pack: tar.Pack, name: string, handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const { size, mtime } = await handle.stat();
  const entry = pack.entry({ name, size, mtime, mode: privateFileMode });
  await pipeline(
    handle.createReadStream({ autoClose: false }),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    entry,
  );
  return hash.digest('hex');
}

/** The service may delete an expired object between the listing and this read. */
async function unlessDeleted(added: Promise<void>): Promise<boolean> {
  try {
    await added;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
