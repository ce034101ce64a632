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
}

const folderNote = /^(?:using the data folder|there is no database in) .*\n/;

/** Removes the note on the data folder, which every command prints because tests use temporary folders. */
function runOf(code: number | null, stdout: string, printed: string): Run {
  return { code, stdout, stderr: printed.replace(folderNote, '') };
}

interface RunOptions {
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Another launcher, such as a link or a copy. */
  launcher?: string;
}

/** Runs the CLI as a child process and waits for its exit. */
export async function runSvc(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { code, stdout, stderr } = await runWhole(args, options);
  return runOf(code, stdout, stderr);
}

/** Runs the CLI like `runSvc`, and returns its entire stderr. */
export async function runWhole(args: readonly string[], options: RunOptions = {}): Promise<Run> {
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
  return { code, stdout, stderr };
}

/** Runs the same program in this process, for long lists of command lines, where a process for each would be slow. */
export async function runInProcess(
  args: readonly string[],
  env: Record<string, string>,
  stdin: string | Buffer = '',
): Promise<Run> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runProgram({ env, stdin: Readable.from([stdin]), stdout, stderr }, args);
  return runOf(code, await text(stdout.end()), await text(stderr.end()));
}
