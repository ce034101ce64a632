/** One finding about a flow: an error, or a likely mistake of its author. */
export interface Diagnostic {
  /** Stable identifier for programs. */
  code: string;
  /** Id of the node, or of the node whose compose plan it concerns. */
  node?: string;
  edge?: string;
  /** Path of the field in the target message, or of the setting. */
  field?: string;
  /** States the problem and how to fix it. */
  message: string;
}

/** Problems fail the compilation. Warnings are returned with its result. */
export interface Findings {
  problems: Diagnostic[];
  warnings: Diagnostic[];
}

/** Returns the messages of several diagnostics in one line. */
export function diagnosticText(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ message }) => message).join('; ');
}
