/** One thing that is wrong with a flow, or that its author may not mean. */
export interface Diagnostic {
  /** Stable: programs may ask for it. */
  code: string;
  /** Id of the node, edge or compose plan that it is about. */
  node?: string;
  edge?: string;
  /** Path of the field in the target message, or of the setting. */
  field?: string;
  /** Finished text: names what is wrong and says what to do. */
  message: string;
}

/** A stage's findings: problems end the compilation, warnings go out with its result. */
export interface Findings {
  problems: Diagnostic[];
  warnings: Diagnostic[];
}
