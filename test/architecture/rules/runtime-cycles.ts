import path from 'node:path';

import { findCycles } from './import-cycles.ts';

/** Files of SDK runtimes: text by path from the project's root. */
type RuntimeFiles = ReadonlyMap<string, string>;

/** A runtime whose modules import one another file by file. */
interface Runtime {
  /** Folders that hold it. A file of a later folder replaces the file of the same name in an earlier one. */
  folders: readonly string[];
  isModule: RegExp;
  /** Modules that a text imports, as paths from the runtime's folder; several candidates per import. */
  imports: (file: string, text: string) => string[];
}

const runtimes: readonly Runtime[] = [
  { folders: ['templates/typescript/runtime'], isModule: /\.ts$/, imports: typescriptImports },
  {
    folders: ['templates/typescript/runtime', 'templates/typescript-browser/runtime'],
    isModule: /\.ts$/,
    imports: typescriptImports,
  },
  { folders: ['templates/python/runtime/package'], isModule: /\.py$/, imports: pythonImports },
  { folders: ['templates/rust/runtime/src'], isModule: /^(?!tests\/).*\.rs$/, imports: rustImports },
];

/**
 * No module of a runtime reaches itself by imports, including imports of types. Go, Java and C# are exempt: their unit is the
 * package.
 */
export function runtimeCycles(files: RuntimeFiles): string[] {
  return [...new Set(runtimes.flatMap((runtime) => cyclesOf(runtime, files)))];
}

function cyclesOf({ folders, isModule, imports }: Runtime, files: RuntimeFiles): string[] {
  const paths = new Map<string, string>();
  for (const folder of folders) {
    for (const file of files.keys()) {
      if (!file.startsWith(`${folder}/`)) continue;
      const module = file.slice(folder.length + 1);
      if (isModule.test(module)) paths.set(module, file);
    }
  }
  const targets = (module: string): string[] =>
    imports(module, files.get(paths.get(module) ?? '') ?? '').filter((target) => paths.has(target));
  return findCycles(paths.keys(), targets).map((cycle) =>
    cycle.map((module) => paths.get(module) ?? module).join(' -> '),
  );
}

function typescriptImports(file: string, text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)].map(([, from = '']) =>
    path.posix.join(path.posix.dirname(file), from),
  );
}

/** `from .module import name` and `from . import module`, also in parentheses; nothing else is used inside a package. */
function pythonImports(file: string, text: string): string[] {
  const statements = text.matchAll(/^\s*from (\.+)([\w.]*) import (?:\(([^)]*)\)|(.*))$/gm);
  return [...statements].flatMap(([, dots = '', name = '', inParentheses = '', onLine = '']) => {
    const parents = Array.from({ length: dots.length - 1 }, () => '..');
    const folder = path.posix.join(path.posix.dirname(file), ...parents);
    if (name === '') {
      const names = (inParentheses || onLine).split(',').map((each) => each.trim());
      return names.flatMap((each) => pythonModules(path.posix.join(folder, each)));
    }
    return pythonModules(path.posix.join(folder, ...name.split('.')));
  });
}

function pythonModules(module: string): string[] {
  return [`${module}.py`, `${module}/__init__.py`];
}

/** Paths that begin with `crate::` or `super::`, and the `mod` declarations of a `mod.rs`. Macros name `$crate::` for others. */
function rustImports(file: string, text: string): string[] {
  const code = text.replaceAll(/\/\/.*$/gm, '');
  const folder = path.posix.dirname(file);
  const uses = [...code.matchAll(/(?<!\$)\b(crate|super)::(\w+)/g)].map(([, root, name = '']) =>
    root === 'crate' ? name : path.posix.join(folder, name),
  );
  const children = file.endsWith('/mod.rs')
    ? [...code.matchAll(/^\s*(?:pub )?mod (\w+);/gm)].map(([, name = '']) => path.posix.join(folder, name))
    : [];
  return [...uses, ...children].flatMap((module) => [`${module}.rs`, `${module}/mod.rs`]);
}
