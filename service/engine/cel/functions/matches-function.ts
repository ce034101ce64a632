import { celMethod, CelScalar } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';
import { BoundedCache } from '../../../bounded-cache.ts';
import { compileRegex } from '../../text/regex.ts';
import type { Regex, RegexOutcome } from '../../text/regex.ts';
import type { CelWork } from '../cel-work.ts';

/** Compiled patterns to cache. */
const cachedPatterns = 256;
/** Cost of compiling a pattern, in units per character. */
const unitsPerPatternCharacter = 4;

/** `matches`, with the bounded regular expressions of the service. */
export function matchesFunction(work: CelWork): CelFunc {
  const compiled = new BoundedCache<string, RegexOutcome<Regex>>(cachedPatterns);
  const { BOOL, STRING } = CelScalar;
  return celMethod('matches', STRING, [STRING], BOOL, function (pattern) {
    const regex = compiled.getOrMake(pattern, () => {
      work.meter.spend(pattern.length * unitsPerPatternCharacter);
      return compileRegex(pattern);
    });
    const matched = regex.ok ? regex.value.test(this, work.meter) : regex;
    if (!matched.ok) throw new Error(matched.detail);
    return matched.value;
  });
}
