import { readFile } from 'node:fs/promises';
import type { Config } from './config.ts';

/**
 * Files that a process needs in addition to its connections: databases, archives, libraries, pipes, and sockets of node
 * containers.
 */
const reservedFiles = 256;

/** Returns how many files this process may open. `undefined` if the system does not report it: only Linux does. */
export async function openFileLimit(): Promise<number | undefined> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft] = /^Max open files +(\d+) /m.exec(text) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/**
 * Lowers the maximum number of connections to what the process can open. Otherwise connections would use up the process's files,
 * and everything else that opens one would fail.
 */
export function boundByFiles(
  connections: Config['connections'],
  files: number | undefined,
): Config['connections'] {
  if (files === undefined) return connections;
  const total = files - Math.min(reservedFiles, Math.ceil(files / 2));
  return { ...connections, total: Math.min(connections.total, total) };
}
