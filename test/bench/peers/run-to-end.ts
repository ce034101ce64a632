import { spawnSync } from 'node:child_process';

interface ToRun {
  file: string;
  args: readonly string[];
  cwd?: string;
  /** In addition to the environment of this process. */
  env?: Readonly<Record<string, string>>;
  /** Time limit in milliseconds. */
  mostMs: number;
}

export interface Ended {
  /** Whether it succeeded. */
  passed: boolean;
  /** Its entire output. */
  output: string;
}

/** Runs a program without a shell. @throws Error if it is missing or exceeds the time limit */
export function runToEnd({ file, args, cwd, env = {}, mostMs }: ToRun): Ended {
  const { status, error, stdout, stderr } = spawnSync(file, args, {
    ...(cwd !== undefined && { cwd }),
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: mostMs,
    killSignal: 'SIGKILL',
  });
  if (error) throw new Error(`${file}: ${error.message}`);
  return { passed: status === 0, output: stdout + stderr };
}
