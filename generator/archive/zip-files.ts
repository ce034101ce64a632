import type { SdkFile } from '../language.ts';
import { type ZipEntry, zipEntry } from './zip-entry.ts';

/** Sizes of the records without their names, by https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3. */
const localHeaderSize = 30;
const directoryHeaderSize = 46;
const endSize = 22;

/** More files, or more bytes, take the records of Zip64. */
const mostFiles = 0xffff;
const mostBytes = 0xffffffff;

/** Extracting needs version 2.0 for deflated files; the upper byte of what made the archive says that modes are those of Unix. */
const version = 20;
const madeByUnix = (3 << 8) | version;

/** The beginning of time for zip files, 1980-01-01 in the date format of MS-DOS: an archive says nothing of when it was made. */
const date = (1 << 5) | 1;

/** A regular file that everybody may read, in the upper half. */
const attributes = 0o100644 * 0x10000;

/**
 * A zip file with the entries in the given order, in memory of its own; equal files give equal bytes.
 * @throws Error when there is more of it than an archive without Zip64 may hold: 65,535 files, 4 GiB.
 */
export function zipFiles(files: readonly SdkFile[]): Uint8Array<ArrayBuffer> {
  if (files.length > mostFiles) throw new Error(`an archive holds at most ${mostFiles} files`);
  const entries = files.map(zipEntry);
  const names = entries.reduce((sum, { name }) => sum + name.length, 0);
  const content = entries.reduce((sum, { packed }) => sum + packedSize(packed), 0);
  const directoryAt = entries.length * localHeaderSize + names + content;
  const size = directoryAt + entries.length * directoryHeaderSize + names + endSize;
  if (size > mostBytes) throw new Error(`an archive is at most ${mostBytes} bytes long`);

  const bytes = Buffer.alloc(size);
  let at = 0;
  let directoryEnd = directoryAt;
  for (const entry of entries) {
    directoryEnd = writeDirectoryHeader(bytes, directoryEnd, entry, at);
    at = writeFile(bytes, at, entry);
  }
  writeEnd(bytes, directoryEnd, entries.length, directoryAt);
  return new Uint8Array(bytes.buffer);
}

/** @returns where the next file begins */
function writeFile(bytes: Buffer, at: number, entry: ZipEntry): number {
  bytes.writeUInt32LE(0x04034b50, at);
  bytes.writeUInt16LE(version, at + 4);
  writeDescription(bytes, at + 6, entry);
  bytes.set(entry.name, at + localHeaderSize);
  let end = at + localHeaderSize + entry.name.length;
  for (const part of entry.packed) {
    bytes.set(part, end);
    end += part.length;
  }
  return end;
}

/** @returns where the next header begins */
function writeDirectoryHeader(bytes: Buffer, at: number, entry: ZipEntry, fileAt: number): number {
  bytes.writeUInt32LE(0x02014b50, at);
  bytes.writeUInt16LE(madeByUnix, at + 4);
  bytes.writeUInt16LE(version, at + 6);
  writeDescription(bytes, at + 8, entry);
  bytes.writeUInt32LE(attributes, at + 38);
  bytes.writeUInt32LE(fileAt, at + 42);
  bytes.set(entry.name, at + directoryHeaderSize);
  return at + directoryHeaderSize + entry.name.length;
}

/** What both headers say of a file, flags first; those, the time of day and the length of an extra field stay 0. */
function writeDescription(bytes: Buffer, at: number, { method, crc, packed, size, name }: ZipEntry): void {
  bytes.writeUInt16LE(method, at + 2);
  bytes.writeUInt16LE(date, at + 6);
  bytes.writeUInt32LE(crc, at + 8);
  bytes.writeUInt32LE(packedSize(packed), at + 12);
  bytes.writeUInt32LE(size, at + 16);
  bytes.writeUInt16LE(name.length, at + 20);
}

function packedSize(packed: ZipEntry['packed']): number {
  return packed.reduce((sum, { length }) => sum + length, 0);
}

function writeEnd(bytes: Buffer, at: number, count: number, directoryAt: number): void {
  bytes.writeUInt32LE(0x06054b50, at);
  bytes.writeUInt16LE(count, at + 8);
  bytes.writeUInt16LE(count, at + 10);
  bytes.writeUInt32LE(at - directoryAt, at + 12);
  bytes.writeUInt32LE(directoryAt, at + 16);
}
