/**
 * An invalid value in a message. Codecs throw it and extend its path while it
 * propagates. Callers get a `ValueError`.
 */
export class ValueProblem extends Error {
  override readonly name: string = "ValueProblem";
  /** Path of the value, for example `lines[2].price`. Empty for the message. */
  path = "";
}

/** Prepends `step`, a property or an index in brackets, to a problem's path. */
export function beneath(step: string, error: unknown): unknown {
  if (error instanceof ValueProblem) {
    const joint = /^(\[|$)/.test(error.path) ? "" : ".";
    error.path = step + joint + error.path;
  }
  return error;
}
