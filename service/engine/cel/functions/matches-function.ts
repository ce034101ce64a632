import { celMethod, CelScalar } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';
import { BoundedCache } from '../../../bounded-cache.ts';
import { compileRegex } from '../../text/regex.ts';
import type { Regex, RegexOutcome } from '../../text/regex.ts';
import type { CelWork } from '../cel-work.ts';

/** Compiled patterns to cache. */
const cachedPatterns = 256;
/** Units of work to compile any pattern, beyond its parts. */
const unitsOfCompilation = 50;

/** `matches`, with the bounded regular expressions of the service. */
export function matchesFunction(work: CelWork): CelFunc {
  const compiled = new BoundedCache<string, RegexOutcome<Regex>>(cachedPatterns);
  const { BOOL, STRING } = CelScalar;
  return celMethod('matches', STRING, [STRING], BOOL, function (pattern) {
    const regex = compiled.getOrMake(pattern, () => {
      work.meter.spend(unitsOfCompilation);
      return compileRegex(pattern, work.meter);
    });
    const matched = regex.ok ? regex.value.test(this, work.meter) : regex;
    if (!matched.ok) throw new Error(matched.detail);
    return matched.value;
  });
}
