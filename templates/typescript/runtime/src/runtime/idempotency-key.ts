/** Returns a new unique key. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}
