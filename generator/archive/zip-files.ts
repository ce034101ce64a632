import { ZipArchive } from 'archiver';
import type { SdkFile } from '../language.ts';

/**
 * Level 6: archives of 50 members are 8 % smaller than at level 1, and take 15 % more processor time. Level 9 takes another 10 %
 * and saves 0.3 %. Most compressed files fit into 4 KiB; with Node's default, 16 KiB for each, zipping takes 30 % more processor
 * time. Each file has a compressor of its own, whose 256 KiB the service's allocator takes from the system and gives back (decision 0043):
 * with a window of 16 KiB and less memory, the seven archives of 50 members are ready in 1,048 ms instead of 1,284, and 0.7 % larger
 * (docs/decisions/0036-archiver-writes-the-archives.md).
 */
const zlib = { level: 6, chunkSize: 4096, windowBits: 14, memLevel: 6 };

/** The earliest date of the zip format, so that an archive does not depend on when it is built. */
const date = new Date(Date.UTC(1980, 0, 1));

/** Readable by all, writable by the owner. */
const mode = 0o644;

/** Returns a zip file with the entries in the given order, in its own buffer. The same files give the same bytes. */
export async function zipFiles(files: readonly SdkFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const archive = new ZipArchive({ forceLocalTime: false, zlib });
  for (const { path, content } of files) archive.append(Buffer.from(content), { name: path, date, mode });
  // A failure also ends the stream, where it is caught below.
  archive.finalize().catch(() => undefined);
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}
