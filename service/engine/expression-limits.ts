/**
 * What adapter expressions may cost. A run evaluates them on the event loop, so each bound keeps the worst expression over the
 * worst input well under a second; docs/decisions/0007 has the measurements.
 */
export const expressionLimits = {
  /** Characters of a CEL expression: the parser is quadratic in them. */
  celCharacters: 4096,
  /** Nesting of a CEL expression, in nodes of its tree. */
  celDepth: 200,
  /** Units one evaluation of CEL may spend; a unit is a call, an iteration, or some hundreds of characters or bytes read. */
  celCost: 200_000,
  /** CEL expressions that are kept parsed. */
  celCacheEntries: 2_000,
  /** Characters of an adapter expression. */
  adapterCharacters: 8_192,
  /** Transforms in one adapter expression. */
  adapterTransforms: 32,
  /** Characters of a text that an expression makes: as much as an input may have bytes. */
  textCharacters: 16_777_216,
  regexCharacters: 1_000,
  /** Instructions of a compiled pattern. */
  regexInstructions: 5_000,
  /** Characters read times instructions, for one text. */
  regexWork: 2 ** 26,
} as const;
