import { execFile } from 'node:child_process';
import type { PythonVenv } from '../../../support/python-venv.ts';

/** Output and exit code of a program of the environment. */
interface ToolRun {
  code: number;
  output: string;
}

/** Runs a program of the Python environment. Its failure is returned. Throws only if the program cannot be started. */
export function runTool(
  venv: PythonVenv,
  program: string,
  args: readonly string[],
  { cwd, env = {}, input = '' }: { cwd: string; env?: NodeJS.ProcessEnv; input?: string },
): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      venv.bin(program),
      args,
      { cwd, env: { ...venv.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : (error.code ?? 1);
        if (typeof code === 'number') resolve({ code, output: `${stdout}${stderr}` });
        else reject(new Error(`cannot run ${program}`, { cause: error }));
      },
    );
    child.stdin?.end(input);
  });
}
