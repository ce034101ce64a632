/**
 * The native search is quadratic in the worst case. It is used for short search texts, and for others while the product of the lengths
 * is at most this.
 */
const trustedWork = 1_000_000;
const trustedCharacters = 16;

/** Reports whether the native search is fast enough for two texts of these lengths. */
export function isTrustedSearch(text: string, wanted: string): boolean {
  return wanted.length <= trustedCharacters || text.length * wanted.length <= trustedWork;
}

/**
 * Like `text.indexOf(wanted, from)`, but in linear time for any two texts.
 *
 * @returns a UTF-16 index, or -1
 */
export function indexOf(text: string, wanted: string, from = 0): number {
  if (isTrustedSearch(text, wanted)) return text.indexOf(wanted, from);
  return firstMatch(text, wanted, borders(wanted), Math.max(from, 0));
}

/** Yields the index of every occurrence, left to right and without overlaps. `wanted` must not be empty. */
export function* occurrences(text: string, wanted: string): Generator<number, void, undefined> {
  const table = isTrustedSearch(text, wanted) ? undefined : borders(wanted);
  for (let at = 0; ; at += wanted.length) {
    at = table === undefined ? text.indexOf(wanted, at) : firstMatch(text, wanted, table, at);
    if (at < 0) return;
    yield at;
  }
}

/** The Knuth-Morris-Pratt algorithm. */
function firstMatch(text: string, wanted: string, borders: Int32Array, from: number): number {
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched++;
    if (matched === wanted.length) return at - matched + 1;
  }
  return -1;
}

/** For each prefix of `wanted`, the length of the longest proper prefix that is also its suffix. */
function borders(wanted: string): Int32Array {
  const lengths = new Int32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    const unit = wanted.charCodeAt(at);
    while (length > 0 && wanted.charCodeAt(length) !== unit) length = lengths[length - 1] ?? 0;
    if (wanted.charCodeAt(length) === unit) length++;
    lengths[at] = length;
  }
  return lengths;
}
