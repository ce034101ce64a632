import { crc32, deflateRawSync } from 'node:zlib';
import { ZipArchive } from 'archiver';
import type { SdkFile } from '../language.ts';

/**
 * Level 6: archives of 50 members are 8 % smaller than at level 1, and take 15 % more processor time. Level 9 takes
 * another 10 % and saves 0.3 %. A compressor allocates its memory for each file and frees it afterwards (decision
 * 0043), so a window of 16 KiB, less memory and output chunks of 4 KiB save a third of the time, and archives grow by
 * 0.7 % (docs/decisions/0036-archiver-writes-the-archives.md).
 */
export const compression = { level: 6, chunkSize: 4096, windowBits: 14, memLevel: 6 };

/** The earliest date of the zip format, so that an archive does not depend on when it is built. */
const date = new Date(Date.UTC(1980, 0, 1));

/** Readable by all, writable by the owner. */
const mode = 0o644;

/** Returns a zip file with the entries in the given order, in its own buffer. The same files give the same bytes. */
export async function zipFiles(files: readonly SdkFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const archive = new ZipArchive({ forceLocalTime: false, zlib: compression });
  deflateAtOnce(archive);
  for (const { path, content } of files) archive.append(Buffer.from(content), { name: path, date, mode });
  // A failure also ends the stream, so the loop below throws it.
  archive.finalize().catch(() => undefined);
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * Methods of archiver's engine, the package compress-commons, which add an entry whose whole content is known. Its
 * types do not declare them.
 */
interface ZipEngine {
  _appendBuffer(entry: ZipEntry, content: Buffer, done: (error: null, entry: ZipEntry) => void): void;
  _writeLocalFileHeader(entry: ZipEntry): void;
  _afterAppend(entry: ZipEntry): void;
  write(bytes: Uint8Array): void;
}

interface ZipEntry {
  getGeneralPurposeBit(): { useDataDescriptor(use: boolean): void };
  setVersionNeededToExtract(version: number): void;
  setSize(bytes: number): void;
  setCompressedSize(bytes: number): void;
  setCrc(crc: number): void;
}

/** The version of the zip format that introduced deflate, times ten. */
const deflateVersion = 20;

/**
 * Lets archiver compress each file in one step. By default it creates a zlib stream for each, which takes more than
 * twice as long for files of a few KiB (docs/decisions/0036-archiver-writes-the-archives.md). It also makes sizes and
 * checksums known before the content, so they are in the local headers, which programs that read a zip file from a pipe
 * need.
 */
function deflateAtOnce(archive: ZipArchive): void {
  const { engine } = (archive as unknown as { _module: { engine: ZipEngine } })._module;
  engine._appendBuffer = (entry, content, done) => {
    const deflated = deflateRawSync(content, compression);
    entry.getGeneralPurposeBit().useDataDescriptor(false);
    entry.setVersionNeededToExtract(deflateVersion);
    entry.setSize(content.length);
    entry.setCompressedSize(deflated.length);
    entry.setCrc(crc32(content));
    engine._writeLocalFileHeader(entry);
    engine.write(deflated);
    engine._afterAppend(entry);
    done(null, entry);
  };
}
