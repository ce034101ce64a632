import { celMethod, CelScalar } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';
import { createBoundedCache } from '../../bounded-cache.ts';
import { compileRegex } from '../../regex.ts';
import type { Regex, RegexOutcome } from '../../regex.ts';
import type { Meter } from '../cost/meter.ts';

/** Patterns that are kept compiled. */
const cachedPatterns = 256;
/** Units that compiling a pattern takes for each of its characters. */
const unitsPerPatternCharacter = 4;
/** Characters that a pattern is matched against in the time of one unit. */
const charactersPerUnit = 16;

/** `matches`, on the service's one engine for regular expressions, with its bounds. */
export function matchesFunction(meter: Meter): CelFunc {
  const compiled = createBoundedCache<string, RegexOutcome<Regex>>(cachedPatterns);
  const { BOOL, STRING } = CelScalar;
  return celMethod('matches', STRING, [STRING], BOOL, function (pattern) {
    const regex = compiled.get(pattern, () => {
      meter.spend(pattern.length * unitsPerPatternCharacter);
      return compileRegex(pattern);
    });
    meter.spend(this.length / charactersPerUnit);
    const matched = regex.ok ? regex.value.test(this) : regex;
    if (!matched.ok) throw new Error(matched.detail);
    return matched.value;
  });
}
