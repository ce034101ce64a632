import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { installInto } from './install-into.ts';
import type { LanguageCheck } from './language-check.ts';
import { countLines, requireTool, runTool } from './run-tool.ts';

/** The linters and the dependencies of SDKs. */
const packages = [
  ...['mypy==2.4.0', 'ruff==0.17.0', 'httpx', 'attrs', 'pydantic', 'python-dateutil', 'types-python-dateutil', 'urllib3'],
  ...['typing-extensions', 'lazy-imports', 'pytest'],
]; // prettier-ignore

/** Imports all modules of all packages in the folder, except tests. */
const importAll = `
import importlib, pathlib, sys
root = pathlib.Path(sys.argv[1])
root = root / "src" if (root / "src").is_dir() else root
sys.path.insert(0, str(root))
found = 0
for path in sorted(root.rglob("*.py")):
    parts = path.relative_to(root).with_suffix("").parts
    if not (root / parts[0] / "__init__.py").is_file() or parts[0] in ("test", "tests"):
        continue
    importlib.import_module(".".join(parts).removesuffix(".__init__"))
    found += 1
assert found > 0
`;

export const pythonCheck: LanguageCheck = {
  languages: ['python'],
  tools: 'Python: ruff with its defaults, mypy --strict',
  check(folder, cache) {
    const venv = path.join(cache, 'python');
    const bin = (program: string): string => path.join(venv, 'bin', program);
    installInto(venv, () => {
      requireTool('python3', ['-m', 'venv', venv], cache);
      requireTool(bin('pip'), ['install', '-q', ...packages], cache);
    });
    const program = path.join(cache, 'import-all.py');
    writeFileSync(program, importAll);
    if (!runTool(bin('python'), [program, folder], folder).passed) {
      return { compiles: false, warnings: undefined };
    }
    const linted = runTool(
      bin('ruff'),
      ['check', '--isolated', '--target-version', 'py310', '--output-format', 'concise', '.'],
      folder,
    );
    const strict = [
      '--strict',
      '--python-version',
      '3.10',
      '--explicit-package-bases',
      '--cache-dir=/dev/null',
    ];
    const typed = runTool(
      bin('mypy'),
      [...strict, '--exclude', '(^|/)(tests?|examples|docs)/', '.'],
      folder,
      {
        MYPYPATH: 'src',
      },
    );
    return {
      compiles: true,
      warnings: countLines(linted.output, /\.py:\d+:\d+: /) + countLines(typed.output, /: error: /),
    };
  },
};
