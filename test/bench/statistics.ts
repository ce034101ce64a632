/** The middle value; of an even number the lower of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? Number.NaN;
}

/** Ratios of what was measured in the same rounds. */
export interface Ratio {
  median: number;
  lowest: number;
  highest: number;
}

/** What the first are to the others, round by round: a machine that is slower for a while is so for both of a pair. */
export function ratioOf(values: readonly number[], others: readonly number[]): Ratio {
  const ratios = values.map((value, round) => value / (others[round] ?? Number.NaN));
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

/** The value that the share of all values does not exceed, such as 0.95 of them. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
