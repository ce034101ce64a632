import { ValueProblem } from "./value-problem.ts";

const alphabet =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Bytes as base64 with the standard alphabet and padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 3) {
    const left = bytes.length - start;
    const bits =
      ((bytes[start] ?? 0) << 16) |
      ((bytes[start + 1] ?? 0) << 8) |
      (bytes[start + 2] ?? 0);
    text += alphabet.charAt(bits >> 18) + alphabet.charAt((bits >> 12) & 63);
    text += left > 1 ? alphabet.charAt((bits >> 6) & 63) : "=";
    text += left > 2 ? alphabet.charAt(bits & 63) : "=";
  }
  return text;
}

/** Reads the standard and the URL-safe alphabet, with or without padding. */
export function fromBase64(text: string): Uint8Array {
  const end = text.endsWith("==") ? -2 : text.endsWith("=") ? -1 : undefined;
  const digits = text.slice(0, end);
  if (digits.length % 4 === 1) throw new ValueProblem("base64 is cut short");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let count = 0;
  let position = 0;
  for (let index = 0; index < digits.length; index++) {
    bits = ((bits << 6) | digitValue(digits.charCodeAt(index))) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[position++] = (bits >> count) & 0xff;
    }
  }
  return bytes;
}

/** Six bits of a digit, by its character code. */
function digitValue(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43 || code === 45) return 62;
  if (code === 47 || code === 95) return 63;
  throw new ValueProblem("not base64");
}
