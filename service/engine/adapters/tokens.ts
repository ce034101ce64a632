import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';

/** A token and the column where it begins, from 1. */
export type Token = { column: number } & (
  | { kind: 'end' }
  | { kind: 'name'; text: string }
  | { kind: 'number'; text: string }
  | { kind: 'string'; value: string }
  | { kind: 'symbol'; text: string }
);

/** Advice for an author who wrote a formula, or text without quotes. */
export const adviceOnTerms = 'compute with cel("<expression>"), and put text in quotes';

const symbols: ReadonlySet<string> = new Set(['|', '(', ')', ',', '.', ':', '*']);

/** Splits an expression into tokens. The last one is `end`. */
export function readTokens(source: string): Outcome<Token[]> {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    at += /^\s*/.exec(source.slice(at))?.[0].length ?? 0;
    const column = at + 1;
    const first = source[at];
    if (first === undefined) {
      tokens.push({ kind: 'end', column });
      return done(tokens);
    }
    const rest = source.slice(at);
    if (first === '"' || first === "'") {
      const read = readString(rest, column);
      if (!read.ok) return read;
      tokens.push({ kind: 'string', value: read.value.value, column });
      at += read.value.length;
      continue;
    }
    const number = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?(?![\w-])/.exec(rest)?.[0];
    const name = /^[A-Za-z0-9_][A-Za-z0-9_-]*/.exec(rest)?.[0];
    if (number !== undefined) tokens.push({ kind: 'number', text: number, column });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, column });
    else if (symbols.has(first)) tokens.push({ kind: 'symbol', text: first, column });
    else
      return failed(
        `unexpected ${JSON.stringify(String.fromCodePoint(source.codePointAt(at) ?? 0))} at column ${column}: ${adviceOnTerms}`,
      );
    at += (number ?? name ?? first).length;
  }
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Reads a string in single or double quotes, with the escapes of JSON and `\'`. */
function readString(source: string, column: number): Outcome<{ value: string; length: number }> {
  const quote = source[0];
  let value = '';
  for (let at = 1; at < source.length; at++) {
    const unit = source[at] ?? '';
    if (unit === quote) {
      return value.isWellFormed()
        ? done({ value, length: at + 1 })
        : failed(`the string at column ${column} has half of a surrogate pair: write both halves`);
    }
    if (unit !== '\\') {
      value += unit;
      continue;
    }
    at++;
    const escaped = source[at] ?? '';
    const code = escaped === 'u' ? /^[0-9a-fA-F]{4}/.exec(source.slice(at + 1))?.[0] : undefined;
    if (code !== undefined) {
      value += String.fromCharCode(parseInt(code, 16));
      at += 4;
    } else if (Object.hasOwn(escapes, escaped)) {
      value += escapes[escaped] ?? '';
    } else {
      return failed(
        `unknown escape "\\${escaped}" at column ${column + at - 1}: write a backslash as "\\\\"`,
      );
    }
  }
  return failed(`the string at column ${column} has no closing ${quote === '"' ? 'double' : 'single'} quote`);
}
