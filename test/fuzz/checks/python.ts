import path from 'node:path';
import { importEverything, mypyStrict } from '../../generator/languages/python/archive-checks.ts';
import { runTool } from '../../generator/languages/python/python-archives.ts';
import { pythonVenv } from '../../support/python-venv.ts';
import { inFolders } from '../archive-folders.ts';
import type { NamesCheck } from '../names-check.ts';

const lintConfig = path.resolve(import.meta.dirname, '../../generator/languages/python/ruff.toml');

/** ruff format and check, mypy --strict for the packages of all archives, and an import of every module. */
export const check: NamesCheck = {
  toolchain: 'python',
  problems: (archives) =>
    inFolders(archives, async (root) => {
      const venv = await pythonVenv();
      const names = archives.map(({ name }) => name);
      const format = ['format', '--isolated', '--no-cache', '--target-version', 'py310', '--diff', '.'];
      const lint = ['check', '--no-cache', '--config', lintConfig, '--output-format', 'concise', '.'];
      const runs: [program: string, args: string[]][] = [
        ['ruff', format],
        ['ruff', lint],
        ['mypy', [...mypyStrict(venv), ...names.map((name) => `${name}/src`)]],
        ...names.map((name): [string, string[]] => ['python', ['-c', importEverything, name]]),
      ];
      for (const [program, args] of runs) {
        const { code, output } = await runTool(venv, program, args, { cwd: root });
        if (code !== 0) return output;
      }
      return '';
    }),
};
