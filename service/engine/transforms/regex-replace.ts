import { done, failed } from '../outcome.ts';
import { compileRegex } from '../text/regex.ts';
import { onText, renderText } from './render-text.ts';
import { readReplacement } from './replacement-template.ts';
import { textShape } from './shape.ts';
import type { Transform } from './transform.ts';

/** `title | regex_replace("(\\w+) (\\w+)", "$2 $1")`: replaces every match of a pattern in RE2 syntax, in linear time. */
export const regexReplace: Transform = {
  name: 'regex_replace',
  prepare(args, _input, { meter }) {
    const [first, second] = args;
    if (first === undefined || second === undefined || args.length > 2) {
      return failed('regex_replace requires 2 args (pattern, replacement)');
    }
    const pattern = renderText(first);
    if (pattern === '') return failed('regex_replace: `pattern` is required');
    const regex = compileRegex(pattern, meter);
    if (!regex.ok) return failed(`regex_replace: invalid pattern: ${regex.detail}`);
    const replacement = readReplacement(renderText(second), regex.value);
    if (!replacement.ok) return failed(`regex_replace: ${replacement.detail}`);
    return done({
      shape: textShape,
      apply: onText((text, meter) => {
        const replaced = regex.value.replaceAll(text, replacement.value, meter);
        return replaced.ok ? replaced : failed(`regex_replace: ${replaced.detail}`);
      }),
    });
  },
};
