import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Fills a cache folder once and marks it as complete. It is not moved, because tools may depend on their installation path. */
export function installInto(folder: string, fill: () => void): void {
  const mark = path.join(folder, 'installed');
  if (existsSync(mark)) return;
  mkdirSync(folder, { recursive: true });
  fill();
  writeFileSync(mark, '');
}
