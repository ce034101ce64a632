/** Random choices. The same seed gives the same choices. */
export interface Seeded {
  /** Returns an integer from 0 up to, but not including, `bound`. */
  below(bound: number): number;
  /** Returns `true` with the probability `share`, from 0 to 1. */
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32: small, fast, and random enough to choose names. */
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
