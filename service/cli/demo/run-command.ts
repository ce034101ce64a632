import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { CliError } from '../output.ts';

/**
 * Runs a shell command of an archive's MANIFEST.json and returns its stdout.
 *
 * @param onLine receives each line of stdout as soon as it has arrived
 * @throws CliError with the whole output if the command fails
 */
export function runCommand(
  command: string,
  cwd: string,
  env: Record<string, string>,
  onLine: (line: string) => void = () => undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      cwd,
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let stdout = '';
    let everything = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      everything += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      everything += chunk.toString();
    });
    createInterface(child.stdout).on('line', onLine);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new CliError(`"${command}" failed in ${cwd} (exit code ${String(code)}):\n${everything}`));
    });
  });
}
