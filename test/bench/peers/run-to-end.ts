import { spawnSync } from 'node:child_process';

interface ToRun {
  file: string;
  args: readonly string[];
  cwd?: string;
  /** Beside the environment of this process. */
  env?: Readonly<Record<string, string>>;
  /** Limit after which a program counts as hanging, in milliseconds. */
  mostMs: number;
}

export interface Ended {
  /** Whether it ended well. */
  passed: boolean;
  /** All that it printed. */
  output: string;
}

/** Runs a program, without a shell. @throws Error when it is not there, or takes longer than it may */
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
