import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { buffer } from 'node:stream/consumers';
import tar from 'tar-stream';
import { makePrivateFolder } from '../../objects/make-folder.ts';
import { isObjectKey } from '../../objects/object-key.ts';
import { openPrivateFile } from '../../objects/private-file.ts';
import { migrations } from '../../store/migrations/all-migrations.ts';
import { CliError } from '../output.ts';
import {
  backupFormat,
  type BackupManifest,
  backupManifest,
  databaseName,
  keyFileName,
  manifestName,
  objectFolders,
  sumsName,
} from './backup-format.ts';

/**
 * Unpacks a backup into an empty folder and checks all of it.
 *
 * @throws CliError if the file is not a backup, is damaged, or was written by a newer svc
 */
export async function readBackup(file: string, folder: string): Promise<BackupManifest> {
  if (await isCompressed(file)) {
    throw new CliError(`${file} is compressed with gzip: decompress it with gunzip, and restore the result`);
  }
  const extract = tar.extract();
  const fed = pipeline(createReadStream(file), extract);
  fed.catch(() => undefined);
  let manifest: BackupManifest | undefined;
  let sums: string | undefined;
  const unpacked: string[] = [];
  try {
    for await (const entry of extract) {
      const { name } = entry.header;
      if (manifest === undefined) {
        const bytes = name === manifestName ? await buffer(entry) : undefined;
        manifest = readManifest(file, bytes);
        unpacked.push(`${sha256(bytes ?? Buffer.of())}  ${name}\n`);
      } else if (name === sumsName) {
        sums = (await buffer(entry)).toString();
      } else if (isOwnName(name)) {
        unpacked.push(`${await unpackEntry(entry, path.join(folder, name))}  ${name}\n`);
      } else {
        throw damaged(file, `it has the entry ${JSON.stringify(name)}`);
      }
    }
    await fed;
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { message, syscall } = await causeOf(error as NodeJS.ErrnoException, fed);
    if (syscall !== undefined) throw new CliError(`cannot restore ${file}: ${message}`);
    throw manifest === undefined ? notABackup(file) : damaged(file, message);
  }
  if (manifest === undefined) throw notABackup(file);
  if (sums === undefined) throw damaged(file, 'its end is missing');
  if (sums !== unpacked.join('')) throw damaged(file, 'a checksum differs');
  if (!unpacked.some((line) => line.endsWith(`  ${databaseName}\n`)))
    throw damaged(file, 'it has no database');
  return manifest;
}

/** Reports whether a file begins as gzip does. A tar file begins with the name of an entry. */
async function isCompressed(file: string): Promise<boolean> {
  await using handle = await openFile(file);
  const { buffer: start } = await handle.read(Buffer.alloc(2), { position: 0 });
  return start.equals(Buffer.of(0x1f, 0x8b));
}

async function openFile(file: string): Promise<FileHandle> {
  return open(file).catch((error: unknown) => {
    throw new CliError(`cannot restore ${file}: ${(error as Error).message}`);
  });
}

/** A truncated entry reports only that its stream was destroyed; the file that feeds it reports why. */
async function causeOf(error: NodeJS.ErrnoException, fed: Promise<void>): Promise<NodeJS.ErrnoException> {
  if (error.syscall !== undefined) return error;
  try {
    await fed;
    return error;
  } catch (cause) {
    return cause as NodeJS.ErrnoException;
  }
}

/** @param bytes of the first entry, if that has the name of the manifest */
function readManifest(file: string, bytes: Buffer | undefined): BackupManifest {
  const { data } = backupManifest.safeParse(bytes && parsed(bytes.toString()));
  if (!data) throw notABackup(file);
  const unknown = data.migrations.filter((name) => !Object.hasOwn(migrations, name));
  if (data.format > backupFormat || unknown.length > 0) {
    throw new CliError(
      `${file} is a backup of svc ${data.svc}, which is newer than this one: restore it with that version`,
    );
  }
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOwnName(name: string): boolean {
  if (name === databaseName || keyFileName.test(name)) return true;
  const folder = objectFolders.find((each) => name.startsWith(`${each}/`));
  return folder !== undefined && isObjectKey(name.slice(folder.length + 1));
}

/** Writes an entry to a new file, and returns its SHA-256. */
async function unpackEntry(entry: AsyncIterable<unknown>, to: string): Promise<string> {
  await makePrivateFolder(path.dirname(to));
  const hash = createHash('sha256');
  await using handle = await openPrivateFile(to, 'wx');
  for await (const chunk of entry as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
  await handle.sync();
  return hash.digest('hex');
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function notABackup(file: string): CliError {
  return new CliError(`${file} is not a backup: give a file that svc backup has written`);
}

function damaged(file: string, how: string): CliError {
  return new CliError(`${file} is damaged (${how}): nothing was restored; use another backup`);
}
