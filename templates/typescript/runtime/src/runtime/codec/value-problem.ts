/**
 * A value that does not fit its message. Thrown inside the codec; the path grows
 * as the problem travels outwards, and `ValueError` shows it to the caller.
 */
export class ValueProblem extends Error {
  override readonly name: string = "ValueProblem";
  #path = "";

  /** Where the value stands: `lines[2].price`; empty at the root. */
  get path(): string {
    return this.#path;
  }

  /** Puts a property name or a list index before the path. */
  beneath(segment: string | number): this {
    const step = typeof segment === "number" ? `[${String(segment)}]` : segment;
    const joint = this.#path === "" || this.#path.startsWith("[") ? "" : ".";
    this.#path = `${step}${joint}${this.#path}`;
    return this;
  }
}

/** Runs `work`; a problem in it is told to be beneath `segment`. */
export function beneath<T>(segment: string | number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ValueProblem) throw error.beneath(segment);
    throw error;
  }
}
