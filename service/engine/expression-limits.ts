/**
 * Limits of adapter expressions. Runs evaluate expressions on the event loop, so the limits keep the worst expression over the worst
 * input well under a second. docs/decisions/0007-expressions-are-checked-early-and-bounded.md has the measurements.
 */
export const expressionLimits = {
  /** Characters of a CEL expression. The parser takes quadratic time. */
  celCharacters: 4096,
  /** Depth of the syntax tree of a CEL expression. */
  celDepth: 200,
  /** Cost units of one CEL evaluation. A unit is a call, an iteration, or reading some hundreds of characters or bytes. */
  celCost: 200_000,
  /** Parsed CEL expressions in the cache. */
  celCacheEntries: 2_000,
  /** Characters of an adapter expression. */
  adapterCharacters: 8_192,
  /** Transforms in one adapter expression. */
  adapterTransforms: 32,
  /** Characters of a text that an expression produces, as many as an input may have bytes. */
  textCharacters: 16_777_216,
  regexCharacters: 1_000,
  /** Instructions of a compiled pattern. */
  regexInstructions: 5_000,
  /** Characters times instructions, for one text. */
  regexWork: 2 ** 26,
} as const;
