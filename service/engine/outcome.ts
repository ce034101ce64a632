/**
 * What a step of the engine came to. Expressions that fail are part of a run, so failures are values with their finished text
 * (service/errors/edge-errors.ts) until the run records them.
 */
export type Outcome<T> = { ok: true; value: T } | { ok: false; detail: string };

export function done<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function failed(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}
