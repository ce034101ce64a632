const token = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g;

/** Maximum length of JSON that is indented, in characters. Anyone with a link may load its page often. */
const maxLength = 8_192;

/**
 * Indents valid JSON by two spaces. Works on the text, so that numbers and key order stay as written. Long JSON is returned as it is.
 */
export function indentJson(json: string): string {
  if (json.length > maxLength) return json;
  let depth = 0;
  let before = '';
  let text = '';
  for (const [each] of json.matchAll(token)) {
    const closes = each === '}' || each === ']';
    const isEmpty = closes && (before === '{' || before === '[');
    if (closes) depth -= 1;
    const breaks = (closes && !isEmpty) || (!closes && ['{', '[', ','].includes(before));
    if (breaks) text += `\n${'  '.repeat(depth)}`;
    text += each === ':' ? ': ' : each;
    if (each === '{' || each === '[') depth += 1;
    before = each;
  }
  return text;
}
