/** A key that no other call has. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}
