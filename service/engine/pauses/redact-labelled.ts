/** The name of a secret and the separator before its value: `password: `, `"api_key":`, `client_secret = `. */
const label = new RegExp(
  '(?:(?<password>pass(?:word|wd|phrase|code)s?|(?<![a-z])pwd)' +
    '|secrets?(?:[-_ ]?key)?|(?:api|private|access)[-_ ]?keys?|authorization|credentials?|token)' +
    '(?:[-_](?:id|hash|value|token))?["\'`]?[ \\t]{0,4}(?<separator>[:=])[ \\t]{0,4}' +
    '(?:(?:basic|bearer|digest) {1,4})?',
  'gi',
);

const quoted = /^(?:"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`)/;

/** An unquoted value. It ends at white space, or where the next `name=value` pair begins. */
const bare = /^(?:(?![&;]\w{1,40}=)\S)+/;

/**
 * Maximum number of characters to read of a value. Names may follow one another without a value, so reading each to its end would
 * take quadratic time.
 */
const judged = 256;

/** Characters that may follow a value without being part of it. */
const punctuation = '.,;:"\'`)]}>';

const words = /^[\p{L}\p{M}'’.!?-]+$/u;

/** The password in a URL: `postgres://user:password@host`. */
const inAddress = /(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{0,100}:)[^\s/@]{1,200}(?=@)/gi;

/**
 * Returns the text with `mark` in place of values that follow names of secrets. Runs in linear time. After a colon, a word
 * without digits stays if it may belong to a sentence: `password: please reset it`.
 */
export function redactLabelled(text: string, mark: string): string {
  let shown = '';
  let end = 0;
  for (const { 0: name, index, groups } of text.matchAll(label)) {
    if (index < end) continue;
    const start = index + name.length;
    const value = valueAt(text, start, judged);
    if (value.text === '' || text.startsWith(mark, value.start)) continue;
    const isNamed = groups?.separator === '=' || value.isQuoted;
    const endsThere = /^[\n\r,;\])}]?$/.test(text.charAt(value.end));
    if (!isNamed && !isSecret(value.text, groups?.password !== undefined, endsThere)) continue;
    shown += text.slice(end, value.start) + mark;
    end = valueAt(text, start, text.length).end;
  }
  return (shown + text.slice(end)).replace(inAddress, mark);
}

interface Value {
  text: string;
  start: number;
  end: number;
  isQuoted: boolean;
}

/** @param most characters to read of a value without quotes */
function valueAt(text: string, start: number, most: number): Value {
  const rest = text.slice(start);
  const inside = quoted.exec(rest)?.slice(1).find(Boolean);
  if (inside !== undefined) {
    return { text: inside, start: start + 1, end: start + 1 + inside.length, isQuoted: true };
  }
  const found = bare.exec(rest.slice(0, most))?.[0] ?? '';
  let length = found.length;
  while (length > 0 && punctuation.includes(found.charAt(length - 1))) length -= 1;
  return { text: found.slice(0, length), start, end: start + length, isQuoted: false };
}

/** Reports whether a value after a colon is a secret and not a word of a sentence. */
function isSecret(value: string, isPassword: boolean, endsThere: boolean): boolean {
  if (words.test(value)) return value.length >= 20 || (isPassword && endsThere && value.length >= 6);
  return isPassword ? value.length >= 4 : value.length >= 6 && /\d/.test(value);
}
