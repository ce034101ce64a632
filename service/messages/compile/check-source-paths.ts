import type { ProtoDiagnostic } from '../../errors/proto-compile-error.ts';

const maxFiles = 1000;
const maxPathLength = 255;
const segment = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/**
 * Validates the import paths of proto sources. They become file paths, so they must stay inside their folder and differ by more than
 * case.
 */
export function checkSourcePaths(paths: readonly string[]): ProtoDiagnostic[] {
  if (paths.length === 0) return [diagnosticAt('', 'no .proto sources: add at least one')];
  if (paths.length > maxFiles) {
    return [diagnosticAt('', `${paths.length} .proto sources: at most ${maxFiles} are allowed`)];
  }
  const problems = paths.flatMap((path) => {
    const problem = pathProblem(path);
    return problem === undefined ? [] : [diagnosticAt(printable(path), problem)];
  });
  return problems.length > 0 ? problems : checkTogether(paths);
}

function pathProblem(path: string): string | undefined {
  if (path.length > maxPathLength) return `the path is longer than ${maxPathLength} characters`;
  if (path.includes('\0')) return 'the path contains a NUL character';
  if (path.includes('\\')) return 'the path contains a backslash: separate folders with "/"';
  if (path.startsWith('/')) return 'the path is absolute: make it relative to the import root';
  const segments = path.split('/');
  if (segments.some((part) => part === '..' || part === '.' || part === '')) {
    return 'the path contains an empty, "." or ".." segment: remove it';
  }
  if (!path.endsWith('.proto')) return 'the path does not end in .proto';
  if (!segments.every((part) => segment.test(part))) {
    return 'the path may contain only letters, digits, "_", "-", "." and "/", and no segment may begin with "-" or "."';
  }
  if (path.toLowerCase().startsWith('google/protobuf/')) {
    return 'google/protobuf/ is built in: remove the file from the sources and keep the import';
  }
  return undefined;
}

function checkTogether(paths: readonly string[]): ProtoDiagnostic[] {
  const diagnostics: ProtoDiagnostic[] = [];
  const byFoldedPath = new Map<string, string>();
  for (const path of paths) {
    const other = byFoldedPath.get(path.toLowerCase());
    if (other !== undefined)
      diagnostics.push(diagnosticAt(path, `the path differs from ${other} only by case`));
    byFoldedPath.set(path.toLowerCase(), path);
  }
  for (const path of paths) {
    const folders = path.toLowerCase().split('/').slice(0, -1);
    const file = folders
      .map((_, end) => folders.slice(0, end + 1).join('/'))
      .find((folder) => byFoldedPath.has(folder));
    if (file !== undefined)
      diagnostics.push(diagnosticAt(path, `${file} is a source and cannot also be a folder`));
  }
  return diagnostics;
}

function diagnosticAt(file: string, message: string): ProtoDiagnostic {
  return { file, line: 0, column: 0, message };
}

/** Makes a hostile path safe for error texts and logs. */
function printable(path: string): string {
  return path.slice(0, maxPathLength).replace(/[^\x20-\x7e]/g, '?');
}
