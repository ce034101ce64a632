import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Processes of a benchmark: none remains. */
export interface ChildProcesses {
  /** Starts a script of this folder with Node; resolves with the first line that it prints. */
  script(file: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Starts a program that prints nothing that matters. */
  program(file: string, args: readonly string[], options: { env: Record<string, string>; cwd: string }): void;
  stop(): Promise<void>;
}

const graceMs = 15_000;

export function createChildProcesses(): ChildProcesses {
  const children: ChildProcess[] = [];
  return {
    script: (file, args, env = {}) => {
      const child = spawn(process.execPath, [path.resolve(import.meta.dirname, file), ...args], {
        env: { ...process.env, NODE_ENV: 'production', ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      return firstLine(child);
    },
    program: (file, args, { env, cwd }) => {
      const child = spawn(file, args, { env: { ...process.env, ...env }, cwd, stdio: 'ignore' });
      child.on('error', (error) => process.stderr.write(`${file}: ${error.message}\n`));
      children.push(child);
    },
    stop: async () => {
      await Promise.all(children.map(stop));
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no stdout');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(`${child.spawnargs.join(' ')} ended before it was ready`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(timer);
}
