import { limits } from '../../specs/limits.ts';

/** Truncates an error text of a node at the limit, and marks the cut. Does not split characters. */
export function cutErrorText(text: string, maxBytes: number = limits.nodeErrorBytes): string {
  const size = Buffer.byteLength(text);
  if (size <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return `${text.slice(0, read)} … [cut: the text has ${size} bytes]`;
}
