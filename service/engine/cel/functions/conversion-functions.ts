import { celError, CelScalar } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';

/** More than any number, time or duration is written with. */
const maxLiteral = 512;

/** Conversions whose time grows with the square of the text, or that match it against backtracking patterns. */
const parsing: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'timestamp', 'duration']);

/** The evaluator's conversions from text, refusing texts that can be nothing of the kind for their length alone. */
export function boundedConversions(functions: Iterable<CelFunc>): CelFunc[] {
  return [...functions]
    .filter(({ name, arguments: parameters }) => parsing.has(name) && parameters[0] === CelScalar.STRING)
    .map((original) =>
      overriding(original, (id, target, args) => {
        const [text] = args;
        if (typeof text === 'string' && text.length > maxLiteral) {
          return celError(`a text of ${text.length} characters is no ${original.name}`, id);
        }
        return original.call(id, target, args);
      }),
    );
}

/** The same function, called in another way. Its signature, which tells overloads apart, stays. */
function overriding(original: CelFunc, call: CelFunc['call']): CelFunc {
  return Object.create(original, { call: { value: call } }) as CelFunc;
}
