/**
 * Adds ES2026's `Uint8Array.prototype.toBase64` if it is missing, as in Node 24. protobuf-es then encodes `bytes` with it. Its
 * own encoder appends single characters, which takes 40 times the memory of the bytes and is 20 times slower. Import this module
 * before protobuf-es, which looks for the method once.
 */
interface Base64Options {
  alphabet?: 'base64' | 'base64url';
  omitPadding?: boolean;
}

function toBase64(
  this: Uint8Array,
  { alphabet = 'base64', omitPadding = false }: Base64Options = {},
): string {
  const text = Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64');
  const inAlphabet = alphabet === 'base64' ? text : text.replaceAll('+', '-').replaceAll('/', '_');
  return omitPadding ? inAlphabet.replace(/=+$/, '') : inAlphabet;
}

if (!('toBase64' in Uint8Array.prototype)) {
  Object.defineProperty(Uint8Array.prototype, 'toBase64', {
    value: toBase64,
    writable: true,
    configurable: true,
  });
}
