import { celMethod, CelScalar } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';
import { BoundedCache } from '../../../bounded-cache.ts';
import { compileRegex } from '../../text/regex.ts';
import type { Regex, RegexOutcome } from '../../text/regex.ts';
import type { Meter } from '../cost/meter.ts';

/** Compiled patterns to cache. */
const cachedPatterns = 256;
/** Cost of compiling a pattern, in units per character. */
const unitsPerPatternCharacter = 4;
/** Characters that a pattern matches per unit of cost. */
const charactersPerUnit = 16;

/** `matches`, with the bounded regular expressions of the service. */
export function matchesFunction(meter: Meter): CelFunc {
  const compiled = new BoundedCache<string, RegexOutcome<Regex>>(cachedPatterns);
  const { BOOL, STRING } = CelScalar;
  return celMethod('matches', STRING, [STRING], BOOL, function (pattern) {
    const regex = compiled.getOrMake(pattern, () => {
      meter.spend(pattern.length * unitsPerPatternCharacter);
      return compileRegex(pattern);
    });
    meter.spend(this.length / charactersPerUnit);
    const matched = regex.ok ? regex.value.test(this) : regex;
    if (!matched.ok) throw new Error(matched.detail);
    return matched.value;
  });
}
