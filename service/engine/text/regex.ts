import { RE2JS, RE2JSSyntaxException } from 're2js';
import { expressionLimits } from '../expression-limits.ts';
import { indexOf as search } from './search.ts';

/** A compiled regular expression in RE2 syntax. Every use is bounded in time and size, for any pattern and text. */
export interface Regex {
  groupCount: number;
  groupNames: ReadonlySet<string>;
  /** Reports whether the pattern matches anywhere in the text. */
  test(text: string): RegexOutcome<boolean>;
  /**
   * Replaces every match, left to right.
   *
   * @param replace computes a replacement. It reads the groups of the match by number (0 is the match) or name. A group that did not
   *   participate is ''.
   */
  replaceAll(
    text: string,
    replace: (group: (key: number | string) => string) => string,
  ): RegexOutcome<string>;
}

/** The result of a bounded operation. `detail` says why it failed. */
export type RegexOutcome<T> = { ok: true; value: T } | { ok: false; detail: string };

/**
 * Compiles a pattern. Syntax errors read as in Go: `error parsing regexp: missing closing ): ...`.
 */
export function compileRegex(pattern: string): RegexOutcome<Regex> {
  if (pattern.length > expressionLimits.regexCharacters) {
    return failure(`the pattern is longer than ${expressionLimits.regexCharacters} characters`);
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return failure(error.message);
    throw error;
  }
  const size = compiled.programSize();
  if (size > expressionLimits.regexInstructions)
    return failure('the pattern is too large after its repetitions are expanded');
  return { ok: true, value: bounded(compiled, Math.floor(expressionLimits.regexWork / Math.max(size, 8))) };
}

function bounded(compiled: RE2JS, reads: number): Regex {
  return {
    groupCount: compiled.groupCount(),
    groupNames: new Set(Object.keys(compiled.namedGroups())),
    test: (text) => withinReads(text, reads, (counted) => compiled.test(counted as unknown as string)),
    replaceAll: (text, replace) =>
      withinReads(text, reads, (counted) => replaceMatches(compiled, counted, replace)),
  };
}

function replaceMatches(
  compiled: RE2JS,
  text: CountedText,
  replace: (group: (key: number | string) => string) => string,
): string {
  const matcher = compiled.matcher(text as unknown as string);
  const parts: string[] = [];
  let length = 0;
  let end = 0;
  while (matcher.find()) {
    text.spend(readsOfMatch);
    // As in Go, an empty match directly after another match does not count.
    if (matcher.start() === matcher.end() && matcher.end() === end && parts.length > 0) continue;
    const piece = text.substring(end, matcher.start()) + replace((key) => matcher.group(key) ?? '');
    parts.push(piece);
    length += piece.length;
    end = matcher.end();
    if (length > expressionLimits.textCharacters) throw new BoundReached(tooLong);
  }
  parts.push(text.substring(end));
  return parts.join('');
}

/** Cost of a match beyond the characters read, in reads. */
const readsOfMatch = 16;

const tooLong = `the result is longer than ${expressionLimits.textCharacters} characters`;

/** Counts the characters read. RE2 is linear per match, but finding all matches can be quadratic (`a.*z|a`). */
class CountedText extends String {
  readonly #text: string;
  #reads: number;

  constructor(text: string, reads: number) {
    super(text);
    this.#text = text;
    this.#reads = reads;
  }

  spend(reads: number): void {
    this.#reads -= reads;
    if (this.#reads < 0) throw new BoundReached('the pattern takes too long to match this text');
  }

  override charCodeAt(index: number): number {
    this.spend(1);
    return this.#text.charCodeAt(index);
  }

  override indexOf(wanted: string, from = 0): number {
    const found = search(this.#text, wanted, from);
    // Native search reads about 64 characters in the time of one step of the regex engine.
    this.spend(((found < 0 ? this.#text.length : found) - from) / 64);
    return found;
  }

  override substring(start: number, end?: number): string {
    return this.#text.substring(start, end);
  }
}

class BoundReached extends Error {}

function withinReads<T>(text: string, reads: number, work: (text: CountedText) => T): RegexOutcome<T> {
  try {
    return { ok: true, value: work(new CountedText(text, reads)) };
  } catch (error) {
    if (error instanceof BoundReached) return failure(error.message);
    throw error;
  }
}

function failure(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}
