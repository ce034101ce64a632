import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** Id of the C# compiler server that the tests of this folder share. The first build starts it. */
export const compilerServer = `svc-tests-${createHash('sha256').update(projectRoot).digest('hex').slice(0, 16)}`;

/** Stops the compiler server at the end of the run. Without `/proc`, it stops itself after ten idle minutes. */
export async function mochaGlobalTeardown(): Promise<void> {
  const processes = await readdir('/proc').catch(() => []);
  for (const pid of processes.filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(`-pipename:${compilerServer}`)) process.kill(Number(pid));
  }
}
