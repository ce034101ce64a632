/** Beyond this product of lengths the native search, quadratic at its worst, is not trusted with more than a few characters. */
const trustedWork = 1_000_000;
const trustedCharacters = 16;

/** Whether the native search is fast enough for two texts, whatever is in them. */
export function isTrustedSearch(text: string, wanted: string): boolean {
  return wanted.length <= trustedCharacters || text.length * wanted.length <= trustedWork;
}

/**
 * As `text.indexOf(wanted, from)`, in time linear in both: no pair of texts makes it slow.
 *
 * @returns index in UTF-16 units, -1 when there is none.
 */
export function indexOf(text: string, wanted: string, from = 0): number {
  if (isTrustedSearch(text, wanted)) return text.indexOf(wanted, from);
  return firstMatch(text, wanted, borders(wanted), Math.max(from, 0));
}

/** Every place where `wanted` stands, from left to right and without overlap; `wanted` is not empty. */
export function* occurrences(text: string, wanted: string): Generator<number, void, undefined> {
  const known = isTrustedSearch(text, wanted) ? undefined : borders(wanted);
  for (let at = 0; ; at += wanted.length) {
    at = known === undefined ? text.indexOf(wanted, at) : firstMatch(text, wanted, known, at);
    if (at < 0) return;
    yield at;
  }
}

/** Knuth, Morris and Pratt: never looks at a character of the text twice for the same prefix. */
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
