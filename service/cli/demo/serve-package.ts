import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CliError } from '../output.ts';

/** A node container in a child process. The caller stops it. */
export interface ServedPackage {
  /** `grpc://127.0.0.1:port` */
  endpoint: string;
  /** Resolves once the process has ended, and at once if it already has. */
  stop(): Promise<void>;
}

/** Path of the program that runs every command. */
export const program = new URL('../main.ts', import.meta.url).pathname;

/** Runs `svc node serve` for a handler module as a child process on a free port. */
export async function servePackage(module: string): Promise<ServedPackage> {
  const child = spawn(process.execPath, [program, 'node', 'serve', module, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('grpc://')) return { endpoint: line.trim(), stop: () => stop(child) };
  }
  throw new CliError(`the node container of ${module} did not start:\n${stderr}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
