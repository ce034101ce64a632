/**
 * A value that does not fit its message. Thrown inside the codec; the path grows
 * as the problem travels outwards, and `ValueError` shows it to the caller.
 */
export class ValueProblem extends Error {
  override readonly name: string = "ValueProblem";
  /** Where the value stands: `lines[2].price`; empty at the root. */
  path = "";
}

/** An error from within `segment`, a property or an index; a problem then says so. */
export function beneath(segment: string | number, error: unknown): unknown {
  if (error instanceof ValueProblem) {
    const step = typeof segment === "number" ? `[${String(segment)}]` : segment;
    const joint = error.path === "" || error.path.startsWith("[") ? "" : ".";
    error.path = `${step}${joint}${error.path}`;
  }
  return error;
}
