const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/**
 * The members of a JSON object as they were written: source text by key, without the white space around it. Of a repeated key
 * the last one counts, as in `JSON.parse`.
 *
 * @param json text of an object that `JSON.parse` accepts
 */
export function memberSources(json: string): Map<string, string> {
  const sources = new Map<string, string>();
  let key: string | undefined;
  let valueStart = 0;
  let depth = 0;
  let at = 0;
  const endMember = (): void => {
    if (key !== undefined) sources.set(key, json.slice(valueStart, at).trim());
    key = undefined;
  };
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(json, at);
      if (depth === 1) key ??= JSON.parse(json.slice(at, end)) as string;
      at = end;
      continue;
    }
    if (code === 0x7b || code === 0x5b) {
      depth += 1;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) endMember();
    } else if (depth === 1) {
      if (code === colon) valueStart = at + 1;
      if (code === comma) endMember();
    }
    at += 1;
  }
  return sources;
}

/** Index after the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

/** Whether an odd number of backslashes stands before `at`. */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
