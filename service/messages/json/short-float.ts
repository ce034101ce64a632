/**
 * Returns the number with the shortest decimal text that parses as the same 32-bit float: 0.1 for 0.10000000149011612. ProtoJSON
 * writers of other languages print floats the same way. Keeps the sign of zero, NaN and infinities.
 */
export function shortFloat(value: number): number {
  const float = Math.fround(value);
  if (Math.abs(float) < exactIntegers && Number.isInteger(float)) return float;
  if (!Number.isFinite(float)) return float;
  // At most one decimal of six digits parses as a given normal float, so starting at six digits misses no shorter one.
  for (let digits = Math.abs(float) < leastNormal ? 1 : 6; digits < 9; digits += 1) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return short;
  }
  return Number(float.toPrecision(9));
}

/** Every integer below this is exactly representable as a float. */
const exactIntegers = 2 ** 24;
const leastNormal = 2 ** -126;
