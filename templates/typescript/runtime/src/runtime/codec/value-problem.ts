/**
 * An invalid value in a message. Codecs throw it and extend its path while it
 * propagates. Callers get a `ValueError`.
 */
export class ValueProblem extends Error {
  override readonly name: string = "ValueProblem";
  /** Path of the value, for example `lines[2].price`. Empty for the message. */
  path = "";
}

/** Prepends `segment`, a property or index, to the path of a problem. */
export function beneath(segment: string | number, error: unknown): unknown {
  if (error instanceof ValueProblem) {
    const step = typeof segment === "number" ? `[${String(segment)}]` : segment;
    const joint = error.path === "" || error.path.startsWith("[") ? "" : ".";
    error.path = `${step}${joint}${error.path}`;
  }
  return error;
}
