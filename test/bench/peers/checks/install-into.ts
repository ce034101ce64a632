import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Fills a folder of the cache once; a mark says that it is whole, for tools may know the path that they were installed under. */
export function installInto(folder: string, fill: () => void): void {
  const mark = path.join(folder, 'installed');
  if (existsSync(mark)) return;
  mkdirSync(folder, { recursive: true });
  fill();
  writeFileSync(mark, '');
}
