const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/**
 * Returns the raw text of each member of a JSON object, by key, without surrounding white space. The last of several equal keys
 * wins, as in `JSON.parse`.
 *
 * @param json the text of an object that `JSON.parse` accepts
 */
export function rawMembers(json: string): Map<string, string> {
  const texts = new Map<string, string>();
  let key: string | undefined;
  let valueStart = 0;
  let depth = 0;
  let at = 0;
  const endMember = (): void => {
    if (key !== undefined) texts.set(key, json.slice(valueStart, at).trim());
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
  return texts;
}

/** Returns the index after the string that starts at `start`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

/** Reports whether an odd number of backslashes precedes `at`. */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
