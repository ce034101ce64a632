/**
 * A key that no other call has: 128 random bits. Pages that came over plain http
 * have no `crypto.randomUUID`.
 */
export function newIdempotencyKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
