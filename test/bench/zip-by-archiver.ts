import { ZipArchive } from 'archiver';
import type { SdkFile } from '../../generator/language.ts';

/**
 * Zips files by archiver, the library that programs on Node zip with, deflated as much as our archives are: the yardstick for
 * what an archive costs beyond its zip.
 * @returns how many bytes the zip has
 */
export async function zipByArchiver(files: readonly SdkFile[]): Promise<number> {
  const archive = new ZipArchive({ zlib: { level: 4 } });
  for (const { path, content } of files) archive.append(Buffer.from(content), { name: path });
  // Its failure is the stream's failure too, and is met below.
  archive.finalize().catch(() => undefined);
  let length = 0;
  for await (const chunk of archive) length += (chunk as Uint8Array).length;
  return length;
}
