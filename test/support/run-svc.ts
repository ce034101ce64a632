import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runProgram } from '../../service/cli/program.ts';

/** The launcher that `npx svc` runs. */
export const svc = path.resolve(import.meta.dirname, '../../service/cli/svc');

export interface Run {
  code: number | null;
  stdout: string;
  /** Without the note on the data folder. */
  stderr: string;
  /** The note on the data folder. Tests run in temporary folders, so every command that uses one says so. */
  folderNote?: string;
}

function runOf(code: number | null, stdout: string, printed: string): Run {
  const [folderNote] = /^(?:using the data folder|there is no database in) .*\n/.exec(printed) ?? [];
  if (folderNote === undefined) return { code, stdout, stderr: printed };
  return { code, stdout, stderr: printed.slice(folderNote.length), folderNote };
}

interface RunOptions {
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Another launcher: a link to it, a copy of it. */
  launcher?: string;
}

/** Runs the CLI as a child process, to its end. */
export async function runSvc(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = spawn(options.launcher ?? svc, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return runOf(code, stdout, stderr);
}

/** Runs the same program in this process: for long lists of command lines, where a process each would take its time. */
export async function runInProcess(
  args: readonly string[],
  env: Record<string, string>,
  stdin = '',
): Promise<Run> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runProgram({ env, stdin: Readable.from([stdin]), stdout, stderr }, args);
  return runOf(code, await text(stdout.end()), await text(stderr.end()));
}
