import { type FileHandle, open, stat } from 'node:fs/promises';

/**
 * Watches the file of an open SQLite database. SQLite itself does not notice that its file was deleted or replaced, since the
 * open file remains usable, or that pages it has in memory were damaged on disk.
 */
export interface DatabaseFile {
  /** @throws Error that describes what happened to the file */
  check(): Promise<void>;
  /**
   * Call it after the last connection is closed: when a process closes a file even once, the system releases all of the process's
   * locks on it, including SQLite's.
   */
  close(): Promise<void>;
}

/** The first bytes of a SQLite file up to the page size, the format versions and the payload fractions. They never change. */
const constantBytes = 24;
const headerBytes = 32;

interface FileId {
  dev: number;
  ino: number;
}

/** Opens the file before the first connection of SQLite is opened. */
export async function openDatabaseFile(file: string): Promise<DatabaseFile> {
  const handle = await open(file, 'r');
  const opened = await handle.stat();
  let constant: Buffer | undefined;
  let size = 0;
  let log: FileId | undefined;
  let damage: string | undefined;

  const checkContent = async (): Promise<void> => {
    const header = await readHeader(handle);
    const before = size;
    ({ size } = await handle.stat());
    constant ??= header.subarray(0, constantBytes);
    if (header.length < headerBytes || !header.subarray(0, constantBytes).equals(constant)) {
      damage = 'its header was overwritten';
      // VACUUM also shortens the file, but first writes the new number of pages to the header.
    } else if (size < before && size < sizeByHeader(header)) {
      damage = `it was cut from ${before} to ${size} bytes`;
    }
  };

  return {
    check: async () => {
      await requireSame(file, opened);
      log = await requireSame(`${file}-wal`, log);
      // SQLite may overwrite the damage, but lost data stays lost.
      if (damage === undefined) await checkContent();
      if (damage !== undefined) throw new Error(`the database file is damaged: ${damage}`);
    },
    close: () => handle.close(),
  };
}

/** @throws Error unless the path leads to the same file as before */
async function requireSame(file: string, before: FileId | undefined): Promise<FileId | undefined> {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const now = await statIfPresent(file);
  if (before === undefined) return now;
  if (now === undefined) throw new Error(`the file ${name} was removed from the data folder`);
  if (now.ino !== before.ino || now.dev !== before.dev) {
    throw new Error(`the file ${name} was replaced by another one`);
  }
  return now;
}

async function statIfPresent(file: string): Promise<FileId | undefined> {
  try {
    const { dev, ino } = await stat(file);
    return { dev, ino };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

async function readHeader(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** The page size is at byte 16, and 1 stands for 65,536. The number of pages is at byte 28. */
function sizeByHeader(header: Buffer): number {
  const pageSize = header.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28);
}
