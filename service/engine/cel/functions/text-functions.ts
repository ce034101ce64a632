import { CelScalar, celList, celMethod, celFunc, listType } from '@bufbuild/cel';
import type { CelFunc, CelList } from '@bufbuild/cel';
import type { Meter } from '../cost/meter.ts';
import { expressionLimits } from '../../expression-limits.ts';
import { codePointLength } from '../../text/code-points.ts';
import { replaceBounded } from '../../text/replace-bounded.ts';
import { indexOf, isTrustedSearch, occurrences } from '../../text/search.ts';

const { BOOL, DYN, INT, STRING } = CelScalar;
const anyList = listType(DYN);

/**
 * String functions with bounded cost. They replace functions of the evaluator that take quadratic time or return results of unlimited
 * size, and return the same results.
 */
export function textFunctions(meter: Meter): CelFunc[] {
  return [
    celMethod('contains', STRING, [STRING], BOOL, function (wanted) {
      return indexOf(this, wanted) >= 0;
    }),
    celMethod('indexOf', STRING, [STRING], INT, function (wanted) {
      return BigInt(indexOf(this, wanted));
    }),
    celMethod('indexOf', STRING, [STRING, INT], INT, function (wanted, from) {
      return BigInt(indexOf(this, wanted, within(from, this)));
    }),
    celMethod('lastIndexOf', STRING, [STRING], INT, function (wanted) {
      return BigInt(lastIndexOf(this, wanted, this.length));
    }),
    celMethod('lastIndexOf', STRING, [STRING, INT], INT, function (wanted, from) {
      return BigInt(lastIndexOf(this, wanted, within(from, this)));
    }),
    celMethod('lowerAscii', STRING, [], STRING, function () {
      return this.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    }),
    celMethod('upperAscii', STRING, [], STRING, function () {
      return this.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
    }),
    celMethod('replace', STRING, [STRING, STRING], STRING, function (from, to) {
      return replace(this, { from, to, count: Infinity }, meter);
    }),
    celMethod('replace', STRING, [STRING, STRING, INT], STRING, function (from, to, count) {
      return replace(this, { from, to, count: count < 0n ? Infinity : Number(count) }, meter);
    }),
    celMethod('split', STRING, [STRING], anyList, function (separator) {
      return celList(split(this, separator, Infinity));
    }),
    celMethod('split', STRING, [STRING, INT], anyList, function (separator, count) {
      return celList(split(this, separator, count < 0n ? Infinity : Number(count)));
    }),
    celMethod('join', anyList, [], STRING, function () {
      return join(this, '');
    }),
    celMethod('join', anyList, [STRING], STRING, function (separator) {
      return join(this, separator);
    }),
    celFunc('size', [STRING], INT, (text) => BigInt(codePointLength(text))),
    celMethod('size', STRING, [], INT, function () {
      return BigInt(codePointLength(this));
    }),
  ];
}

function within(index: bigint, { length }: string): number {
  const at = Number(index);
  if (at < 0 || at >= length) throw new Error(`index ${at} out of bounds [0, ${length})`);
  return at;
}

/** Returns the last occurrence at or before `from`. Searches the reversed texts, because native backward search is quadratic. */
function lastIndexOf(text: string, wanted: string, from: number): number {
  if (isTrustedSearch(text, wanted)) return text.lastIndexOf(wanted, from);
  const searched = text.slice(0, from + wanted.length);
  const found = indexOf(reversed(searched), reversed(wanted));
  return found < 0 ? -1 : searched.length - found - wanted.length;
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

/** Cost of one replacement, in units. */
const unitsOfReplacement = 0.25;

function replace(text: string, change: { from: string; to: string; count: number }, meter: Meter): string {
  if (change.from === '') return replaceEmpty(text, change.to, change.count);
  const eachPlace = () => meter.spend(unitsOfReplacement);
  const replaced = replaceBounded(text, { ...change, eachPlace }, expressionLimits.textCharacters);
  if (replaced === undefined) throw tooLong();
  return replaced;
}

/** The empty string occurs before every character and at the end. */
function replaceEmpty(text: string, to: string, count: number): string {
  const characters = Array.from(text);
  if (text.length + to.length * Math.min(count, characters.length + 1) > expressionLimits.textCharacters) {
    throw tooLong();
  }
  const pieces = characters.map((character, index) => (index < count ? to + character : character));
  return pieces.join('') + (characters.length < count ? to : '');
}

function split(text: string, separator: string, count: number): string[] {
  if (count === 0) return [];
  if (separator === '') {
    const characters = Array.from(text);
    return characters.length <= count
      ? characters
      : [...characters.slice(0, count - 1), characters.slice(count - 1).join('')];
  }
  const parts: string[] = [];
  let end = 0;
  for (const at of occurrences(text, separator)) {
    if (parts.length + 1 >= count) break;
    parts.push(text.slice(end, at));
    end = at + separator.length;
  }
  return [...parts, text.slice(end)];
}

function join(list: CelList, separator: string): string {
  const parts: string[] = [];
  let length = 0;
  for (const part of list) {
    if (typeof part !== 'string') {
      throw new Error('invalid argument to function join: list contains non-string value');
    }
    length += part.length + separator.length;
    if (length > expressionLimits.textCharacters) throw tooLong();
    parts.push(part);
  }
  return parts.join(separator);
}

function tooLong(): Error {
  return new Error(`the result is longer than ${expressionLimits.textCharacters} characters`);
}
