import { spawnSync } from 'node:child_process';

/** A program to start, without a shell. */
export interface Command {
  file: string;
  args: readonly string[];
  /** Beside the environment of this process. */
  env?: Readonly<Record<string, string>>;
}

export interface Run {
  /** From the start of the process to its end, milliseconds. */
  ms: number;
  /** All that it printed. */
  output: string;
}

/** A peer that takes longer hangs. */
const mostMs = 180_000;

/** Runs a program to its end. @throws Error with the end of its output when it fails or takes more than three minutes */
export function runProgram({ file, args, env = {} }: Command): Run {
  const startedAt = performance.now();
  const { status, error, stdout, stderr } = spawnSync(file, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: mostMs,
  });
  const ms = performance.now() - startedAt;
  if (error) throw new Error(`${file}: ${error.message}`);
  const output = stdout + stderr;
  if (status !== 0) throw new Error(`${[file, ...args].join(' ')} fails: ${output.trim().slice(-600)}`);
  return { ms, output };
}
