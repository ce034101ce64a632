import { RE2JS, RE2JSSyntaxException } from 're2js';
import { expressionLimits } from '../expression-limits.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { patternWork } from './pattern-work.ts';
import { indexOf as search } from './search.ts';

/** A compiled regular expression in RE2 syntax. Every use is bounded by its meter in time and size, for any pattern and text. */
export interface Regex {
  groupCount: number;
  groupNames: ReadonlySet<string>;
  /** Reports whether the pattern matches anywhere in the text. */
  test(text: string, meter: WorkMeter): RegexOutcome<boolean>;
  /**
   * Replaces every match, left to right.
   *
   * @param replace computes a replacement. It reads the groups of the match by number (0 is the match) or name. A group that did not
   *   participate is ''.
   */
  replaceAll(
    text: string,
    replace: (group: (key: number | string) => string) => string,
    meter: WorkMeter,
  ): RegexOutcome<string>;
}

/** The result of a bounded operation. `detail` says why it failed. */
export type RegexOutcome<T> = { ok: true; value: T } | { ok: false; detail: string };

/**
 * Compiles a pattern. Syntax errors read as in Go: `error parsing regexp: missing closing ): ...`.
 *
 * @throws WorkExceeded if compiling costs more than the remaining budget
 */
export function compileRegex(pattern: string, meter: WorkMeter): RegexOutcome<Regex> {
  if (pattern.length > expressionLimits.regexCharacters) {
    return failure(`the pattern is longer than ${expressionLimits.regexCharacters} characters`);
  }
  const work = patternWork(pattern);
  if (work > expressionLimits.regexWork) return failure(tooLarge);
  meter.spend(work);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return failure(error.message);
    throw error;
  }
  const size = compiled.programSize();
  if (size > expressionLimits.regexInstructions) return failure(tooLarge);
  return { ok: true, value: bounded(compiled, unitsOfRead * Math.max(size, leastInstructions)) };
}

const tooLarge = 'the pattern is too large after its repetitions are expanded';

/** Units of work for reading one character, per instruction of the pattern. */
const unitsOfRead = 0.016;
/** A read costs at least as much as with this many instructions. */
const leastInstructions = 8;
/** Units of work for a match, beyond the characters read, and characters of a replacement per unit. */
const unitsOfMatch = 1.5;
const charactersPerUnit = 64;

/** @param unitsPerRead units of work for reading one character */
function bounded(compiled: RE2JS, unitsPerRead: number): Regex {
  return {
    groupCount: compiled.groupCount(),
    groupNames: new Set(Object.keys(compiled.namedGroups())),
    test: (text, meter) => {
      const counted = new CountedText(text, meter, unitsPerRead);
      return { ok: true, value: compiled.test(counted as unknown as string) };
    },
    replaceAll: (text, replace, meter) =>
      replaceMatches(compiled, new CountedText(text, meter, unitsPerRead), replace),
  };
}

function replaceMatches(
  compiled: RE2JS,
  text: CountedText,
  replace: (group: (key: number | string) => string) => string,
): RegexOutcome<string> {
  const matcher = compiled.matcher(text as unknown as string);
  const parts: string[] = [];
  let length = 0;
  let end = 0;
  while (matcher.find()) {
    text.meter.spend(unitsOfMatch);
    // As in Go, an empty match directly after another match does not count.
    if (matcher.start() === matcher.end() && matcher.end() === end && parts.length > 0) continue;
    const piece = text.substring(end, matcher.start()) + replace((key) => matcher.group(key) ?? '');
    text.meter.spend(piece.length / charactersPerUnit);
    parts.push(piece);
    length += piece.length;
    end = matcher.end();
    if (length > expressionLimits.textCharacters) return failure(tooLong);
  }
  parts.push(text.substring(end));
  return { ok: true, value: parts.join('') };
}

const tooLong = `the result is longer than ${expressionLimits.textCharacters} characters`;

/** Charges for the characters read. RE2 is linear per match, but finding all matches can be quadratic (`a.*z|a`). */
class CountedText extends String {
  readonly meter: WorkMeter;
  readonly #text: string;
  readonly #unitsPerRead: number;

  constructor(text: string, meter: WorkMeter, unitsPerRead: number) {
    super(text);
    this.meter = meter;
    this.#text = text;
    this.#unitsPerRead = unitsPerRead;
  }

  override charCodeAt(index: number): number {
    this.meter.spend(this.#unitsPerRead);
    return this.#text.charCodeAt(index);
  }

  override indexOf(wanted: string, from = 0): number {
    return search(this.#text, wanted, from, this.meter);
  }

  override substring(start: number, end?: number): string {
    return this.#text.substring(start, end);
  }
}

function failure(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}
