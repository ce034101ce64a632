/** The same bytes as gRPC takes them. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * The same bytes as a plain view: the bytes of a message's fields are views of the same kind as the whole, and a Buffer's
 * `slice` is another one than a Uint8Array's.
 */
export function asBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
