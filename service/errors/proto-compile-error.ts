/** One complaint about proto sources. */
export interface ProtoDiagnostic {
  /** Import path of the source as it was given; empty when the complaint is about the whole set. */
  file: string;
  /** From 1; 0 when the complaint has no position. */
  line: number;
  /** From 1, in characters; 0 when the complaint has no position. */
  column: number;
  message: string;
}

/** Proto sources that cannot be published, with everything that is wrong in them; never empty. */
export class ProtoCompileError extends Error {
  override readonly name = 'ProtoCompileError';
  readonly diagnostics: readonly ProtoDiagnostic[];

  constructor(diagnostics: readonly ProtoDiagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** `acme/text.proto:3:14: message`, without the parts that the complaint lacks. */
export function formatDiagnostic({ file, line, column, message }: ProtoDiagnostic): string {
  const position = line > 0 ? `:${line}:${column}` : '';
  return file === '' ? message : `${file}${position}: ${message}`;
}
