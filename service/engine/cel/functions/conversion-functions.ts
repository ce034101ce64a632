import { celError, CelScalar } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';

/** More than any number, time or duration is written with. */
const maxLiteral = 512;

/**
 * Conversions whose time grows with the square of the text, or that match it against backtracking patterns; with what their
 * texts look like where the evaluator would also take an empty one, white space or hexadecimal digits.
 */
const parsing: ReadonlyMap<string, RegExp> = new Map([
  ['int', /^[+-]?\d+$/],
  ['uint', /^\+?\d+$/],
  ['double', /^([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?Inf(inity)?|NaN)$/i],
  ['timestamp', /./],
  ['duration', /./],
]);

/** The evaluator's conversions from text, refusing what is nothing of the kind for its length or its form. */
export function boundedConversions(functions: Iterable<CelFunc>): CelFunc[] {
  return [...functions]
    .filter(({ name, arguments: parameters }) => parsing.has(name) && parameters[0] === CelScalar.STRING)
    .map((original) =>
      overriding(original, (id, target, args) => {
        const [text] = args;
        if (typeof text === 'string' && text.length > maxLiteral) {
          return celError(`a text of ${text.length} characters is no ${original.name}`, id);
        }
        if (typeof text === 'string' && parsing.get(original.name)?.test(text) === false) {
          return celError(`${JSON.stringify(text)} is no ${original.name}`, id);
        }
        return original.call(id, target, args);
      }),
    );
}

/** The same function, called in another way. Its signature, which tells overloads apart, stays. */
function overriding(original: CelFunc, call: CelFunc['call']): CelFunc {
  return Object.create(original, { call: { value: call } }) as CelFunc;
}
