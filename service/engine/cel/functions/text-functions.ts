import { CelScalar, celList, celMethod, celFunc, listType } from '@bufbuild/cel';
import type { CelFunc, CelList } from '@bufbuild/cel';
import type { CelWork } from '../cel-work.ts';
import { expressionLimits } from '../../expression-limits.ts';
import type { WorkMeter } from '../../work/work-meter.ts';
import { codePointLength } from '../../text/code-points.ts';
import { replaceBounded } from '../../text/replace-bounded.ts';
import { indexOf, lastIndexOf, occurrences } from '../../text/search.ts';

const { BOOL, DYN, INT, STRING } = CelScalar;
const anyList = listType(DYN);

/**
 * String functions with bounded cost. They replace functions of the evaluator that take quadratic time or return results of unlimited
 * size, and return the same results.
 */
export function textFunctions(work: CelWork): CelFunc[] {
  return [
    celMethod('contains', STRING, [STRING], BOOL, function (wanted) {
      return indexOf(this, wanted, 0, work.meter) >= 0;
    }),
    celMethod('indexOf', STRING, [STRING], INT, function (wanted) {
      return BigInt(indexOf(this, wanted, 0, work.meter));
    }),
    celMethod('indexOf', STRING, [STRING, INT], INT, function (wanted, from) {
      return BigInt(indexOf(this, wanted, within(from, this), work.meter));
    }),
    celMethod('lastIndexOf', STRING, [STRING], INT, function (wanted) {
      return BigInt(lastIndexOf(this, wanted, this.length, work.meter));
    }),
    celMethod('lastIndexOf', STRING, [STRING, INT], INT, function (wanted, from) {
      return BigInt(lastIndexOf(this, wanted, within(from, this), work.meter));
    }),
    celMethod('lowerAscii', STRING, [], STRING, function () {
      return this.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    }),
    celMethod('upperAscii', STRING, [], STRING, function () {
      return this.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
    }),
    celMethod('replace', STRING, [STRING, STRING], STRING, function (from, to) {
      return replace(this, { from, to, count: Infinity }, work.meter);
    }),
    celMethod('replace', STRING, [STRING, STRING, INT], STRING, function (from, to, count) {
      return replace(this, { from, to, count: count < 0n ? Infinity : Number(count) }, work.meter);
    }),
    celMethod('split', STRING, [STRING], anyList, function (separator) {
      return celList(split(this, { separator, count: Infinity }, work.meter));
    }),
    celMethod('split', STRING, [STRING, INT], anyList, function (separator, count) {
      return celList(split(this, { separator, count: count < 0n ? Infinity : Number(count) }, work.meter));
    }),
    celMethod('join', anyList, [], STRING, function () {
      return join(this, '', work.meter);
    }),
    celMethod('join', anyList, [STRING], STRING, function (separator) {
      return join(this, separator, work.meter);
    }),
    celFunc('size', [STRING], INT, (text) => BigInt(codePointLength(text, work.meter))),
    celMethod('size', STRING, [], INT, function () {
      return BigInt(codePointLength(this, work.meter));
    }),
  ];
}

function within(index: bigint, { length }: string): number {
  const at = Number(index);
  if (at < 0 || at >= length) throw new Error(`index ${at} out of bounds [0, ${length})`);
  return at;
}

/** Units of work per part of a text: a character, a part between separators, or an element of a list. */
const unitsPerPart = 0.5;
/** Characters to copy per unit of work. */
const copiedPerUnit = 64;

function replace(
  text: string,
  change: { from: string; to: string; count: number },
  meter: WorkMeter,
): string {
  if (change.from === '') return replaceEmpty(text, change, meter);
  const replaced = replaceBounded(text, { ...change, limit: expressionLimits.textCharacters }, meter);
  if (replaced === undefined) throw tooLong();
  return replaced;
}

/** The empty string occurs before every character and at the end. */
function replaceEmpty(text: string, { to, count }: { to: string; count: number }, meter: WorkMeter): string {
  meter.spend(text.length * (unitsPerPart + to.length / copiedPerUnit));
  const characters = Array.from(text);
  if (text.length + to.length * Math.min(count, characters.length + 1) > expressionLimits.textCharacters) {
    throw tooLong();
  }
  const pieces = characters.map((character, index) => (index < count ? to + character : character));
  return pieces.join('') + (characters.length < count ? to : '');
}

function split(
  text: string,
  { separator, count }: { separator: string; count: number },
  meter: WorkMeter,
): string[] {
  if (count === 0) return [];
  if (separator === '') {
    meter.spend(text.length * unitsPerPart);
    const characters = Array.from(text);
    return characters.length <= count
      ? characters
      : [...characters.slice(0, count - 1), characters.slice(count - 1).join('')];
  }
  const parts: string[] = [];
  let end = 0;
  for (const at of occurrences(text, separator, meter)) {
    if (parts.length + 1 >= count) break;
    meter.spend(unitsPerPart);
    parts.push(text.slice(end, at));
    end = at + separator.length;
  }
  return [...parts, text.slice(end)];
}

function join(list: CelList, separator: string, meter: WorkMeter): string {
  const parts: string[] = [];
  let length = 0;
  for (const part of list) {
    if (typeof part !== 'string') {
      throw new Error('invalid argument to function join: list contains non-string value');
    }
    length += part.length + separator.length;
    if (length > expressionLimits.textCharacters) throw tooLong();
    meter.spend(unitsPerPart + (part.length + separator.length) / copiedPerUnit);
    parts.push(part);
  }
  return parts.join(separator);
}

function tooLong(): Error {
  return new Error(`the result is longer than ${expressionLimits.textCharacters} characters`);
}
