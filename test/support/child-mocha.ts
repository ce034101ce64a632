import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const projectRoot = path.resolve(import.meta.dirname, '../..');

export interface ChildRun {
  code: number | null;
  /** Standard output, without colours. */
  output: string;
}

/**
 * Runs mocha with the project's configuration over the given test files, for tests of the test support. During the run the files
 * are in a sub-folder of this folder, so `../<file>.ts` imports the modules of this folder.
 */
export async function runMocha(
  files: Readonly<Record<string, string>>,
  { flags = [], env = {} }: { flags?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<ChildRun> {
  const folder = await mkdtemp(path.join(import.meta.dirname, '.child-mocha-'));
  try {
    const paths = Object.keys(files).map((name) => path.join(folder, name));
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)));
    const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
    const child = spawn(process.execPath, [mocha, '--no-color', ...flags, ...paths], {
      cwd: projectRoot,
      env: { ...process.env, SVC_REQUIRE_TOOLCHAINS: '', SVC_TESTS: '', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    return { code, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
