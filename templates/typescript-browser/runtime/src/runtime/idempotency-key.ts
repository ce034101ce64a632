/**
 * Returns a new unique key of 128 random bits. `crypto.randomUUID` is
 * unavailable on pages served over plain HTTP.
 */
export function newIdempotencyKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
