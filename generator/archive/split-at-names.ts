/** Bytes behind the names that are worth a part of their own: deflating two parts costs more than deflating one. */
const shortest = 512;

/**
 * A file in two parts: up to the last of the names of its client, and what is behind, which reads the same in clients of other names.
 * Undefined for a file that says no name, or one so late that little is left.
 */
export function splitAtNames(bytes: Buffer, names: readonly string[]): [Buffer, Buffer] | undefined {
  let end = 0;
  for (const name of names) {
    const at = bytes.lastIndexOf(name);
    if (at >= 0) end = Math.max(end, at + Buffer.byteLength(name));
  }
  return end > 0 && bytes.length - end >= shortest
    ? [bytes.subarray(0, end), bytes.subarray(end)]
    : undefined;
}
