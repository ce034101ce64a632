/**
 * The result of evaluating an expression. Failing expressions are part of a run, so a failure is a value until the run records it;
 * `detail` is its message (`service/errors/edge-errors.ts`).
 */
export type Outcome<T> = { ok: true; value: T } | { ok: false; detail: string };

export function done<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function failed(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}
