import { exec } from 'node:child_process';

/** What a command printed, and its exit code. */
export interface CommandRun {
  code: number;
  output: string;
}

/**
 * Runs a shell command. A failure is returned, not thrown.
 *
 * @param env variables in addition to those of the tests.
 */
export function runCommand(
  cwd: string,
  command: string,
  env: Record<string, string> = {},
): Promise<CommandRun> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    exec(command, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? 1), output: `${stdout}${stderr}` });
    });
  });
}
