import ts from 'typescript';
import { sharedProgram } from '../generator/languages/typescript/shared-program.ts';
import type { FuzzedArchive } from './names-check.ts';

/** Returns TypeScript's diagnostics for archives, one per line. */
export function typeProblems(archives: readonly FuzzedArchive[], options: ts.CompilerOptions = {}): string {
  return ts
    .getPreEmitDiagnostics(sharedProgram(archives, options))
    .map(({ file, start, messageText }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
      const text = file?.text.split('\n')[line - 1] ?? '';
      return `${file?.fileName ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}\n    ${text}`;
    })
    .join('\n');
}
