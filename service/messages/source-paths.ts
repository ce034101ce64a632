import type { ProtoDiagnostic } from '../errors/proto-compile-error.ts';

const maxFiles = 1000;
const maxPathLength = 255;
const segment = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/**
 * What is wrong with the import paths of proto sources; empty when nothing is. Paths become files, so they may not leave
 * their folder, nor mean something else on a disk that folds case.
 */
export function checkSourcePaths(paths: readonly string[]): ProtoDiagnostic[] {
  if (paths.length === 0) return [complaint('', 'there is no .proto source: give at least one')];
  if (paths.length > maxFiles) {
    return [complaint('', `there are ${paths.length} .proto sources, at most ${maxFiles} are allowed`)];
  }
  const shapes = paths.flatMap((path) => {
    const problem = pathProblem(path);
    return problem === undefined ? [] : [complaint(printable(path), problem)];
  });
  return shapes.length > 0 ? shapes : checkTogether(paths);
}

function pathProblem(path: string): string | undefined {
  if (path.length > maxPathLength) return `the path is longer than ${maxPathLength} characters`;
  if (path.includes('\0')) return 'the path holds a NUL character';
  if (path.includes('\\')) return 'the path holds a backslash: separate folders with "/"';
  if (path.startsWith('/')) return 'the path is absolute: give it relative to the import root';
  const segments = path.split('/');
  if (segments.some((part) => part === '..' || part === '.' || part === '')) {
    return 'the path holds an empty, "." or ".." part: give it relative to the import root, in its shortest form';
  }
  if (!path.endsWith('.proto')) return 'the name does not end in .proto';
  if (!segments.every((part) => segment.test(part))) {
    return 'the path may hold letters, digits, "_", "-", "." and "/" only, and no part may begin with "-" or "."';
  }
  if (path.toLowerCase().startsWith('google/protobuf/')) {
    return 'google/protobuf/ is built in: import it without sending it';
  }
  return undefined;
}

function checkTogether(paths: readonly string[]): ProtoDiagnostic[] {
  const diagnostics: ProtoDiagnostic[] = [];
  const byFoldedPath = new Map<string, string>();
  for (const path of paths) {
    const other = byFoldedPath.get(path.toLowerCase());
    if (other !== undefined) diagnostics.push(complaint(path, `the path differs from ${other} by case only`));
    byFoldedPath.set(path.toLowerCase(), path);
  }
  for (const path of paths) {
    const folders = path.toLowerCase().split('/').slice(0, -1);
    const file = folders
      .map((_, end) => folders.slice(0, end + 1).join('/'))
      .find((folder) => byFoldedPath.has(folder));
    if (file !== undefined)
      diagnostics.push(complaint(path, `${file} is a source, so it cannot be a folder`));
  }
  return diagnostics;
}

function complaint(file: string, message: string): ProtoDiagnostic {
  return { file, line: 0, column: 0, message };
}

/** Hostile paths go into messages and logs: no control characters, no endless text. */
function printable(path: string): string {
  return path.slice(0, maxPathLength).replace(/[^\x20-\x7e]/g, '?');
}
