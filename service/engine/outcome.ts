/**
 * The result of evaluating an expression. Failing expressions are part of a run, so a failure is a value until the run records it;
 * `detail` is its message (`service/errors/edge-errors.ts`).
 */
export type Outcome<T> = { ok: true; value: T } | { ok: false; detail: string };

/** Returns the outcome of an expression that has a value. */
export function done<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

/** Returns the outcome of an expression that fails. Callers add the place to the detail: the field, or the edge. */
export function failed(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}
