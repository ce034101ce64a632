import { hash } from 'node:crypto';

/** Hashes the parts with their lengths, so that different lists never have the same input. SHA-256, in hexadecimal. */
export function digest(...parts: (string | Uint8Array)[]): string {
  const framed = parts.flatMap((part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    return [Buffer.from(`${bytes.length}:`), bytes];
  });
  return hash('sha256', Buffer.concat(framed));
}
