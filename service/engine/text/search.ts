import type { WorkMeter } from '../work/work-meter.ts';

/**
 * The native search is quadratic in the worst case. It is used for short search texts, and for others while the product of the lengths
 * is at most this.
 */
const trustedWork = 1_000_000;
const trustedCharacters = 16;

/** Characters per unit of work: of the native search for one character and for several, and of the linear search. */
const singlePerUnit = 256;
const nativePerUnit = 16;
const linearPerUnit = 6;
/** Characters to search between two charges. */
const window = 65_536;

/**
 * Like `text.indexOf(wanted, from)`, but in linear time for any two texts. Charges for the characters that it reads.
 *
 * @returns a UTF-16 index, or -1
 */
export function indexOf(text: string, wanted: string, from: number, meter: WorkMeter): number {
  const start = Math.max(from, 0);
  return isTrustedSearch(text, wanted)
    ? nativeMatch(text, wanted, start, meter)
    : firstMatch(text, wanted, { from: start, borders: bordersOf(wanted, meter), meter });
}

/** Like `text.lastIndexOf(wanted, from)`. Searches the reversed texts, because the native backward search is quadratic. */
export function lastIndexOf(text: string, wanted: string, from: number, meter: WorkMeter): number {
  if (isTrustedSearch(text, wanted)) {
    meter.spend(text.length / nativePerUnit);
    return text.lastIndexOf(wanted, from);
  }
  meter.spend((text.length + wanted.length) / linearPerUnit);
  const searched = text.slice(0, from + wanted.length);
  const found = indexOf(reversed(searched), reversed(wanted), 0, meter);
  return found < 0 ? -1 : searched.length - found - wanted.length;
}

/** Yields the index of every occurrence, left to right and without overlaps. `wanted` must not be empty. */
export function* occurrences(
  text: string,
  wanted: string,
  meter: WorkMeter,
): Generator<number, void, undefined> {
  const borders = isTrustedSearch(text, wanted) ? undefined : bordersOf(wanted, meter);
  for (let at = 0; ; at += wanted.length) {
    at =
      borders === undefined
        ? nativeMatch(text, wanted, at, meter)
        : firstMatch(text, wanted, { from: at, borders, meter });
    if (at < 0) return;
    yield at;
  }
}

/** Reports whether the native search is fast enough for two texts of these lengths. */
function isTrustedSearch(text: string, wanted: string): boolean {
  return wanted.length <= trustedCharacters || text.length * wanted.length <= trustedWork;
}

/** Searches natively, in windows that overlap by the length of `wanted`. */
function nativeMatch(text: string, wanted: string, from: number, meter: WorkMeter): number {
  const perUnit =
    wanted.length === 1 ? singlePerUnit : wanted.length <= trustedCharacters ? nativePerUnit : linearPerUnit;
  if (wanted === '') return Math.min(from, text.length);
  for (let start = from; start + wanted.length <= text.length; start += window) {
    const part = text.slice(start, start + window + wanted.length - 1);
    const found = part.indexOf(wanted);
    meter.spend(unitsOfSearch + (found < 0 ? part.length : found) / perUnit);
    if (found >= 0) return start + found;
  }
  return -1;
}

/** Units of work per search. */
const unitsOfSearch = 0.2;

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

interface LinearSearch {
  from: number;
  borders: Int32Array;
  meter: WorkMeter;
}

/** The Knuth-Morris-Pratt algorithm. */
function firstMatch(text: string, wanted: string, { from, borders, meter }: LinearSearch): number {
  let matched = 0;
  let charged = from;
  for (let at = from; at < text.length; at++) {
    if (at - charged === window) {
      meter.spend(window / linearPerUnit);
      charged = at;
    }
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched++;
    if (matched === wanted.length) {
      meter.spend((at - charged) / linearPerUnit);
      return at - matched + 1;
    }
  }
  meter.spend(Math.max(text.length - charged, 0) / linearPerUnit);
  return -1;
}

/** For each prefix of `wanted`, the length of the longest proper prefix that is also its suffix. */
function bordersOf(wanted: string, meter: WorkMeter): Int32Array {
  meter.spend(wanted.length / linearPerUnit);
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
