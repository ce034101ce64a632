import { type ChildProcess, spawn } from 'node:child_process';

/** A bash that runs consecutive scripts like a terminal: variables, functions and the current folder persist. */
export interface BashSession {
  /** Returns the stdout of a script. Throws with its entire output if one of its commands fails. */
  run(script: string): Promise<string>;
  close(): void;
}

const DONE = '__bash_session_done__';

export function startBash(options: { cwd: string; env: NodeJS.ProcessEnv }): BashSession {
  const bash = spawn('bash', ['-s'], { ...options, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  bash.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  bash.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  bash.stdin.write('set -euo pipefail\n');

  return {
    async run(script) {
      if (bash.exitCode !== null) throw new Error('an earlier piece of the script failed and ended bash');
      stdout = '';
      stderr = '';
      bash.stdin.write(`${script}\necho; echo ${DONE}\n`);
      const failed = await hasEnded(bash, () => stdout.trimEnd().endsWith(DONE));
      if (failed) throw new Error(`bash ended in\n${script}\n\n${stdout}\n${stderr}`);
      return stdout.slice(0, stdout.lastIndexOf(DONE)).trimEnd();
    },
    close: () => bash.kill(),
  };
}

/** Reports whether bash exited before `finished`; with `set -e` it exits at the first failure. */
function hasEnded(bash: ChildProcess, finished: () => boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (failed: boolean): void => {
      bash.stdout?.off('data', look);
      bash.off('close', fail);
      resolve(failed);
    };
    const look = (): void => {
      if (finished()) settle(false);
    };
    const fail = (): void => settle(true);
    bash.stdout?.on('data', look);
    bash.on('close', fail);
  });
}
