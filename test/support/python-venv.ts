import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Python } from './pythons.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const everything = path.join(import.meta.dirname, 'python-requirements.txt');
const forArchives = path.join(import.meta.dirname, 'python-archive-requirements.txt');
const maker = path.join(import.meta.dirname, 'make-python-venv.py');

/** The Python environment of all suites, with pinned tools and libraries, shared by concurrent test processes. */
export interface PythonVenv {
  folder: string;
  /** The interpreter, also for `mypy --python-executable` and `pyright --pythonpath`. */
  python: string;
  /** Returns the path of an installed program: `ruff`, `mypy`, `pyright`, `pytest`. */
  bin(program: string): string;
  /**
   * Environment to run its programs with. pyright is JavaScript: the variables keep it on our Node and away from the network.
   */
  env: NodeJS.ProcessEnv;
}

let made: Promise<PythonVenv> | undefined;

/**
 * Returns the environment under `.cache/`. Creates it if it is missing (about 15 s, needs PyPI once) or the
 * requirements have changed. Concurrent processes may call it. Call it in a `before` hook with a timeout of
 * `PYTHON_VENV_TIMEOUT_MS`, in a suite of `suiteNeeds('python', ...)`.
 */
export function pythonVenv(): Promise<PythonVenv> {
  made ??= makePythonVenv('python3', everything);
  return made;
}

/**
 * Returns an environment of this Python with the requirements of an archive's own tests. It is created and kept like
 * `pythonVenv`.
 */
export function archiveVenv({ program, version }: Python): Promise<PythonVenv> {
  return makePythonVenv(program, forArchives, version);
}

/** Time to allow for the first call of `pythonVenv` on a cold and busy machine. */
export const PYTHON_VENV_TIMEOUT_MS = 900_000;

async function makePythonVenv(program: string, requirements: string, version = ''): Promise<PythonVenv> {
  const hash = createHash('sha256')
    .update(readFileSync(requirements))
    .update(readFileSync(maker))
    .update(version)
    .digest('hex')
    .slice(0, 12);
  const folder = path.join(projectRoot, '.cache', `python-venv-${hash}`);
  if (!existsSync(path.join(folder, 'complete'))) {
    await promisify(execFile)(program, [maker, folder, requirements]).catch((error: unknown) => {
      const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
      throw new Error(`the Python environment ${folder} could not be made:\n${output}`, { cause: error });
    });
  }
  const programs = path.join(folder, 'bin');
  return {
    folder,
    python: path.join(programs, 'python'),
    bin: (program) => path.join(programs, program),
    env: {
      ...process.env,
      PATH: [programs, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      VIRTUAL_ENV: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      RUFF_NO_CACHE: 'true',
      PYRIGHT_PYTHON_GLOBAL_NODE: '1',
      PYRIGHT_PYTHON_IGNORE_WARNINGS: '1',
    },
  };
}
