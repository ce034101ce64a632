/** A problem in proto sources. */
export interface ProtoDiagnostic {
  /** Import path of the source; empty if the problem concerns all sources. */
  file: string;
  /** Starts at 1; 0 if the problem has no position. */
  line: number;
  /** Starts at 1, in characters; 0 if the problem has no position. */
  column: number;
  message: string;
}

/** Proto sources that do not compile. Contains at least one problem. */
export class ProtoCompileError extends Error {
  override readonly name = 'ProtoCompileError';
  readonly diagnostics: readonly ProtoDiagnostic[];

  constructor(diagnostics: readonly ProtoDiagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** Formats a problem as `acme/text.proto:3:14: message`, without missing parts. */
export function formatDiagnostic({ file, line, column, message }: ProtoDiagnostic): string {
  const position = line > 0 ? `:${line}:${column}` : '';
  return file === '' ? message : `${file}${position}: ${message}`;
}
