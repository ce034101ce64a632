import { RE2JS, RE2JSSyntaxException } from 're2js';
import { expressionLimits } from './expression-limits.ts';
import { indexOf as search } from './text/search.ts';

/** A compiled pattern of RE2's syntax. Every use is bounded in time and size, whatever the pattern and the text. */
export interface Regex {
  groupCount: number;
  groupNames: ReadonlySet<string>;
  /** Whether it matches anywhere in the text. */
  test(text: string): RegexOutcome<boolean>;
  /**
   * Replaces every match, left to right.
   *
   * @param replace gets the groups of a match: by number (0 is the match) or by name, '' where a group took no part.
   */
  replaceAll(
    text: string,
    replace: (group: (key: number | string) => string) => string,
  ): RegexOutcome<string>;
}

/** What a bounded operation came to; `detail` is a finished sentence part. */
export type RegexOutcome<T> = { ok: true; value: T } | { ok: false; detail: string };

/**
 * Compiles a pattern.
 *
 * @returns the pattern, or why not, in Go's words (`error parsing regexp: missing closing ): ...`).
 */
export function compileRegex(pattern: string): RegexOutcome<Regex> {
  if (pattern.length > expressionLimits.regexCharacters) {
    return no(`the pattern is longer than ${expressionLimits.regexCharacters} characters`);
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return no(error.message);
    throw error;
  }
  const size = compiled.programSize();
  if (size > expressionLimits.regexInstructions)
    return no('the pattern is too large when its repeats are written out');
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
    // As in Go, an empty match right behind another one does not count.
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

/** What finding one more match costs beyond reading, in reads. */
const readsOfMatch = 16;

const tooLong = `the result is longer than ${expressionLimits.textCharacters} characters`;

/** Linear time is for one match; all matches of one text can take its square (`a.*z|a`). So reads are counted. */
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
    if (this.#reads < 0) throw new BoundReached('the pattern takes too long on this text');
  }

  override charCodeAt(index: number): number {
    this.spend(1);
    return this.#text.charCodeAt(index);
  }

  override indexOf(wanted: string, from = 0): number {
    const found = search(this.#text, wanted, from);
    // Native search reads some dozens of characters in the time of one of the engine's steps.
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
    if (error instanceof BoundReached) return no(error.message);
    throw error;
  }
}

function no(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}
