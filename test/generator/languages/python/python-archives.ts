import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/builds/load-language.ts';
import type { PythonVenv } from '../../../support/python-venv.ts';
import { listSdkFixtures, loadSdkFixture } from '../../../support/sdk-fixtures.ts';

/** Archives of fixtures, unpacked, a folder each, in a temporary folder. */
export interface PythonArchives {
  root: string;
  names: string[];
  remove(): Promise<void>;
}

export async function writePythonArchives(names = listSdkFixtures()): Promise<PythonArchives> {
  const root = await mkdtemp(path.join(tmpdir(), 'svc-python-'));
  const { language, templates } = await loadLanguage('python');
  for (const name of names) {
    for (const file of await sdkFiles(await loadSdkFixture(name), language, templates)) {
      const target = path.join(root, name, file.path);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, file.content);
    }
  }
  return { root, names, remove: () => rm(root, { recursive: true, force: true }) };
}

/** Output and exit code of a program of the environment. */
export interface ToolRun {
  code: number;
  output: string;
}

/** Runs a program of the Python environment; a failure is its result, not an exception. */
export function runTool(
  venv: PythonVenv,
  program: string,
  args: readonly string[],
  { cwd, env = {}, input = '' }: { cwd: string; env?: NodeJS.ProcessEnv; input?: string },
): Promise<ToolRun> {
  return new Promise((resolve) => {
    const child = execFile(
      venv.bin(program),
      args,
      { cwd, env: { ...venv.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
      },
    );
    child.stdin?.end(input);
  });
}
