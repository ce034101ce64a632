import { ValueProblem } from "./value-problem.ts";

/** Maximum number of arguments that every engine supports. */
const chunk = 0x2000;

/**
 * Reports whether a value is a Uint8Array. Avoids `instanceof`, because each
 * frame of a page has its own class.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/** Encodes bytes as padded base64 in the standard alphabet. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += chunk)
    // Spreading a Uint8Array is slow.
    text += Reflect.apply(
      String.fromCharCode,
      null,
      bytes.subarray(start, start + chunk),
    ) as string;
  return btoa(text);
}

/** Decodes base64 in the standard or URL-safe alphabet, padded or not. */
export function fromBase64(text: string): Uint8Array {
  if (!/^[\w+/-]*={0,2}$/.test(text)) throw new ValueProblem("invalid base64");
  const digits = text
    .replace(/=+$/, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  if (digits.length % 4 === 1) throw new ValueProblem("truncated base64");
  const decoded = atob(digits);
  const bytes = new Uint8Array(decoded.length);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = decoded.charCodeAt(index);
  return bytes;
}
