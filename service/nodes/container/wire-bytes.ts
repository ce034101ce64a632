/** Returns a Buffer over the same bytes, as gRPC expects them. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * Returns a plain Uint8Array over the same bytes. The bytes fields of a decoded message have the type of the whole, and a
 * Buffer's `slice` differs from a Uint8Array's.
 */
export function asBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
