/**
 * The number whose decimal text is the shortest that reads back as the same 32-bit float: 0.1 for the float that holds
 * 0.10000000149011612. So ProtoJSON writers of other languages print floats. Zeros keep their sign, and what is not finite stays.
 */
export function shortFloat(value: number): number {
  const float = Math.fround(value);
  if (Math.abs(float) < exactIntegers && Number.isInteger(float)) return float;
  if (!Number.isFinite(float)) return float;
  // Of decimals with six digits, at most one reads as a float that is normal: nothing shorter is missed.
  for (let digits = Math.abs(float) < leastNormal ? 1 : 6; digits < 9; digits += 1) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return short;
  }
  return Number(float.toPrecision(9));
}

/** All integers below are floats, each with all of its digits. */
const exactIntegers = 2 ** 24;
const leastNormal = 2 ** -126;
