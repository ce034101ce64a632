import { limits } from '../../../specs/limits.ts';
import { LargeNumber } from '../../../specs/large-number.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { shorten } from '../../errors/shorten.ts';

/**
 * The result of parsing. In addition to invalid JSON, the parser rejects what `JSON.parse` accepts silently: duplicate keys,
 * unpaired surrogates, numbers out of range and excessive nesting.
 */
type ParsedJson =
  | {
      ok: true;
      value: unknown;
      /** Contains a `LargeNumber` where a double may lose precision. */
      exact: boolean;
    }
  /** `isJson`: `JSON.parse` accepts the text. */
  | { ok: false; isJson: boolean; detail: string };

/** Deeper text matches no type. The limit also bounds the recursion of every function that processes the value. */
const maxDepth = limits.jsonNesting;

/** Parses JSON strictly and without loss of precision. */
export function parseStrictJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, isJson: false, detail: thrownMessage(error) };
  }
  if (!text.isWellFormed())
    return { ok: false, isJson: true, detail: 'the text contains an unpaired surrogate' };
  const scan = scanJson(text);
  if (scan.problem !== undefined) return { ok: false, isJson: true, detail: scan.problem };
  if (!scan.unsafeNumbers) return { ok: true, value, exact: false };
  return { ok: true, value: JSON.parse(text, keepSource), exact: true };
}

/** A reviver. TypeScript's types do not declare the third parameter yet. */
function keepSource(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  return context?.source === undefined ? value : new LargeNumber(context.source);
}

interface Scan {
  problem?: string;
  unsafeNumbers: boolean;
}

const quote = 0x22;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const comma = 0x2c;
const minus = 0x2d;

/** Scans valid JSON text in one pass. */
function scanJson(text: string): Scan {
  // The keys seen in every open object, `undefined` for an array.
  const open: (Set<string> | undefined)[] = [];
  let keyNext = false;
  let unsafeNumbers = false;
  let backslash = text.indexOf('\\');
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const start = at;
      let end = text.indexOf('"', at + 1);
      let escaped = false;
      while (backslash !== -1 && backslash < end) {
        escaped = true;
        if (backslash + 1 === end) end = text.indexOf('"', end + 1);
        backslash = text.indexOf('\\', backslash + 2);
      }
      at = end + 1;
      const keys = keyNext ? open.at(-1) : undefined;
      keyNext = false;
      if (!escaped && keys === undefined) continue;
      const content = escaped ? unescaped(text.slice(start, at)) : text.slice(start + 1, end);
      if (escaped && !content.isWellFormed()) {
        return { unsafeNumbers, problem: `the string ${quoted(content)} contains an unpaired surrogate` };
      }
      if (keys?.has(content) === true) {
        return { unsafeNumbers, problem: `duplicate key ${quoted(content)}` };
      }
      keys?.add(content);
      continue;
    }
    if (code === minus || (code >= 0x30 && code <= 0x39)) {
      const start = at;
      at = endOfNumber(text, at + 1);
      const number = Number(text.slice(start, at));
      if (!Number.isFinite(number)) {
        const problem = `the number ${text.slice(start, Math.min(at, start + 40))} is out of range`;
        return { unsafeNumbers, problem };
      }
      if (Math.abs(number) > Number.MAX_SAFE_INTEGER) unsafeNumbers = true;
      continue;
    }
    if (code === openObject || code === openArray) {
      open.push(code === openObject ? new Set() : undefined);
      if (open.length > maxDepth)
        return { unsafeNumbers, problem: `the JSON nests deeper than ${maxDepth} levels` };
      keyNext = code === openObject;
    } else if (code === closeObject || code === closeArray) {
      open.pop();
      keyNext = false;
    } else if (code === comma) {
      keyNext = true;
    }
    at += 1;
  }
  return { unsafeNumbers };
}

function endOfNumber(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    const inside =
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2e ||
      code === 0x2b ||
      code === minus ||
      (code | 0x20) === 0x65;
    if (!inside) return at;
    at += 1;
  }
}

function unescaped(literal: string): string {
  return JSON.parse(literal) as string;
}

function quoted(content: string): string {
  return JSON.stringify(shorten(content, 80));
}
