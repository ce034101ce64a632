import type { ProtoDiagnostic } from '../../errors/proto-compile-error.ts';

/** buf's error text, which does not name the file. */
const missingFile = 'imported file does not exist';

/** Names the missing file of an import, which is in the problem's source line. Returns other problems unchanged. */
export function nameMissingFile(
  diagnostic: ProtoDiagnostic,
  sources: Readonly<Record<string, string>>,
): ProtoDiagnostic {
  if (diagnostic.message !== missingFile) return diagnostic;
  const line = sources[diagnostic.file]?.split('\n')[diagnostic.line - 1] ?? '';
  const [, , imported] =
    /import\s+(?:(?:public|weak|option)\s+)?(["'])(.*?)\1/.exec(line.slice(diagnostic.column - 1)) ?? [];
  if (imported === undefined) return diagnostic;
  const message = `imported file "${imported}" does not exist: add it to the protos of the package, at this path`;
  return { ...diagnostic, message };
}
