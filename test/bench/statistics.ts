/** The middle value; of an even number the lower of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? Number.NaN;
}
