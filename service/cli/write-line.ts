import { once } from 'node:events';
import type { Terminal } from './output.ts';

/** Writes a line to stdout. Resolves once the reader keeps up. */
export async function writeLine({ stdout }: Pick<Terminal, 'stdout'>, line: string): Promise<void> {
  if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
}
