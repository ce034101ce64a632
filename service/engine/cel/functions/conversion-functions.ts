import { celError, CelScalar } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';

/** Longer than any number, time or duration literal. */
const maxLiteral = 512;

/**
 * Conversions from strings that take quadratic time or use backtracking patterns, with the syntax that they accept. The evaluator
 * itself would also accept empty strings, white space and hexadecimal digits.
 */
const parsing: ReadonlyMap<string, RegExp> = new Map([
  ['int', /^[+-]?\d+$/],
  ['uint', /^\+?\d+$/],
  ['double', /^([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?Inf(inity)?|NaN)$/i],
  ['timestamp', /./],
  ['duration', /./],
]);

/** Wraps the evaluator's conversions from strings with checks of length and syntax. */
export function boundedConversions(functions: Iterable<CelFunc>): CelFunc[] {
  return [...functions]
    .filter(({ name, arguments: parameters }) => parsing.has(name) && parameters[0] === CelScalar.STRING)
    .map((original) =>
      overriding(original, (id, target, args) => {
        const [text] = args;
        if (typeof text === 'string' && text.length > maxLiteral) {
          return celError(`cannot convert a string of ${text.length} characters to ${original.name}`, id);
        }
        if (typeof text === 'string' && parsing.get(original.name)?.test(text) === false) {
          return celError(`cannot convert ${JSON.stringify(text)} to ${original.name}`, id);
        }
        return original.call(id, target, args);
      }),
    );
}

/** Returns the function with another implementation and the same signature. */
function overriding(original: CelFunc, call: CelFunc['call']): CelFunc {
  return Object.create(original, { call: { value: call } }) as CelFunc;
}
