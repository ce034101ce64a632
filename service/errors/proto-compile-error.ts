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

/** Maximum number of problems that a refusal lists. */
const maxDiagnostics = 100;

/**
 * Proto sources that do not compile. Contains at least one problem. If there are more than 100, contains the first ones and the
 * total.
 */
export class ProtoCompileError extends Error {
  override readonly name = 'ProtoCompileError';
  readonly diagnostics: readonly ProtoDiagnostic[];

  constructor(diagnostics: readonly ProtoDiagnostic[]) {
    const more = diagnostics.length - maxDiagnostics;
    const rest = { file: '', line: 0, column: 0, message: `and ${more} more problems` };
    const listed = more > 0 ? [...diagnostics.slice(0, maxDiagnostics), rest] : diagnostics;
    super(listed.map(formatDiagnostic).join('\n'));
    this.diagnostics = listed;
  }
}

/** Formats a problem as `acme/text.proto:3:14: message`, without missing parts. */
export function formatDiagnostic({ file, line, column, message }: ProtoDiagnostic): string {
  const position = line > 0 ? `:${line}:${column}` : '';
  return file === '' ? message : `${file}${position}: ${message}`;
}
