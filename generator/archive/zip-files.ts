import { ZipArchive } from 'archiver';
import type { SdkFile } from '../language.ts';

/** The beginning of time for zip files: an archive says nothing of when it was made. */
const entryDate = new Date(Date.UTC(1980, 0, 1));
const entryMode = 0o644;

/** A zip file with the entries in the given order; equal files give equal bytes. */
export async function zipFiles(files: readonly SdkFile[]): Promise<Uint8Array<ArrayBuffer>> {
  // An archive of small files: level 9 makes it 0.3 % smaller and may take half as long again.
  const archive = new ZipArchive({ zlib: { level: 6 } });
  for (const { path, content } of files) {
    archive.append(toBuffer(content), { name: path, date: entryDate, mode: entryMode });
  }
  // Its failure is the stream's failure too, and is met below.
  archive.finalize().catch(() => undefined);
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return concat(chunks);
}

function toBuffer(content: string | Uint8Array): Buffer {
  if (typeof content === 'string') return Buffer.from(content, 'utf8');
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

/** Into memory of its own, which a worker can hand over without a copy. */
function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk, end);
    end += chunk.length;
  }
  return whole;
}
