/** Choices that a seed decides: the same seed, the same choices. */
export interface Seeded {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  /** True in `share` of all cases, 0 to 1. */
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32: small, fast, and as good as choosing names needs. */
export function seeded(seed: number): Seeded {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    chance: (share) => next() < share,
    pick: (from) => {
      if (from.length === 0) throw new Error('nothing to pick from');
      return from[below(from.length)]!;
    },
  };
}
