/**
 * Limits of adapter expressions. Runs evaluate expressions on the event loop, so the limits keep the worst edge over the worst input
 * at about 50 ms. docs/decisions/0040-an-edge-has-one-work-budget.md has the measurements.
 */
export const expressionLimits = {
  /** Units of work of one evaluation (service/engine/work/work-meter.ts). A unit is about a quarter of a microsecond. */
  workUnits: 200_000,
  /** Characters of a CEL expression. The parser takes quadratic time. */
  celCharacters: 4096,
  /** Depth of the syntax tree of a CEL expression. */
  celDepth: 200,
  /** Parsed CEL expressions in the cache. */
  celCacheEntries: 2_000,
  /** Characters of an adapter expression. */
  adapterCharacters: 8_192,
  /** Transforms in one adapter expression. */
  adapterTransforms: 32,
  /** Characters of a text that an expression produces. The limit for the bytes of an input is the same number. */
  textCharacters: 16_777_216,
  regexCharacters: 1_000,
  /** Instructions of a compiled pattern. */
  regexInstructions: 5_000,
  /** Units of work to compile a pattern, estimated from its text before it is compiled. */
  regexWork: 100_000,
} as const;
