import type { WorkMeter } from '../work/work-meter.ts';

/** Characters per unit of work: searching for surrogates, and walking over them. */
const searchedPerUnit = 128;
const walkedPerUnit = 12;

/** Returns the length of a text in Unicode code points. */
export function codePointLength(text: string, meter: WorkMeter): number {
  if (!hasPairs(text, meter)) return text.length;
  meter.spend(text.length / walkedPerUnit);
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at++) {
    if (isPairAt(text, at)) {
      pairs++;
      at++;
    }
  }
  return text.length - pairs;
}

/** Returns the UTF-16 index of the code point `index`, at most the length of the text. */
export function unitIndex(text: string, index: number, meter: WorkMeter): number {
  // Near the beginning, walking is cheaper than searching the whole text.
  if (index * searchedPerUnit > text.length * walkedPerUnit && !hasPairs(text, meter)) {
    return Math.min(index, text.length);
  }
  meter.spend(Math.min(index, text.length) / walkedPerUnit);
  let at = 0;
  for (let left = index; left > 0 && at < text.length; left--) at += isPairAt(text, at) ? 2 : 1;
  return at;
}

function hasPairs(text: string, meter: WorkMeter): boolean {
  meter.spend(text.length / searchedPerUnit);
  return /[\ud800-\udbff]/.test(text);
}

function isPairAt(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
