/** Returns the median; for an even number of values, the lower of the middle two. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? Number.NaN;
}

/** Ratios of measurements of the same rounds. */
export interface Ratio {
  median: number;
  lowest: number;
  highest: number;
}

/** Ratios of the first values to the others by round, so that a temporarily slower machine affects both of a pair. */
export function ratioOf(values: readonly number[], others: readonly number[]): Ratio {
  const ratios = values.map((value, round) => value / (others[round] ?? Number.NaN));
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

/** Returns the quantile of the values for a share such as 0.95. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
