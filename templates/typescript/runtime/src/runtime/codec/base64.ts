import { ValueProblem } from "./value-problem.ts";

/** As many arguments as a function surely takes. */
const chunk = 0x2000;

/** Bytes as base64 with the standard alphabet and padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += chunk)
    // Not spread, which is slow of bytes.
    text += Reflect.apply(
      String.fromCharCode,
      null,
      bytes.subarray(start, start + chunk),
    ) as string;
  return btoa(text);
}

/** Reads the standard and the URL-safe alphabet, with or without padding. */
export function fromBase64(text: string): Uint8Array {
  if (!/^[\w+/-]*={0,2}$/.test(text)) throw new ValueProblem("not base64");
  const digits = text
    .replace(/=+$/, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  if (digits.length % 4 === 1) throw new ValueProblem("base64 is cut short");
  const decoded = atob(digits);
  const bytes = new Uint8Array(decoded.length);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = decoded.charCodeAt(index);
  return bytes;
}
