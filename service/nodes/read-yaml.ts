import {
  type Document,
  type ErrorCode,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { LargeNumber } from '../../specs/large-number.ts';
import { thrownMessage } from '../errors/thrown-message.ts';

/** A parsed YAML text, with the lines of its parts. */
export interface YamlText {
  value: unknown;
  /** Returns the line of the key or the list entry at a path, or of its nearest existing parent. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

/**
 * Reads a YAML or JSON text. Integers beyond 2^53 are `LargeNumber`.
 *
 * @returns the value, or the first problem with its line and column, for example `3:5: Flow map must end with a }`. Further
 *   problems usually follow from the first.
 */
export function readYaml(text: string): YamlText | { problem: string } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, intAsBigInt: true });
  // A plain value such as `!express` is parsed as an empty value with a tag.
  const tags = document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED');
  const [first] = [...document.errors, ...tags].toSorted((one, other) => one.pos[0] - other.pos[0]);
  if (first) {
    const { line, col } = lines.linePos(first.pos[0]);
    return { problem: `${line}:${col}: ${problemOf(first)}` };
  }
  try {
    const value = document.toJS({ reviver: (_key, one) => exactInteger(one) }) as unknown;
    return { value, lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    // Thrown for aliases that expand without bounds or have no anchor.
    const message = oneLine(thrownMessage(error));
    const lost = lostAlias(document);
    if (lost === undefined) return { problem: `1:1: ${message}` };
    const { line, col } = lines.linePos(lost);
    return { problem: `${line}:${col}: ${message}${quoteAsterisk}` };
  }
}

/** Integers are read as bigint. Those that a double rounds keep their digits. */
function exactInteger(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : new LargeNumber(String(value));
}

/** Returns the position of the first alias without an anchor: a plain value such as `*total`. */
function lostAlias(document: Document): number | undefined {
  let at: number | undefined;
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return undefined;
      at = alias.range?.[0];
      return visit.BREAK;
    },
  });
  return at;
}

const quoteAsterisk = ': put a value that begins with "*" in quotes';

/** The usual fix for an error whose text does not suggest one. */
const remedies: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY: ': put a value that contains ": " in quotes, or fix the indentation',
  BLOCK_IN_FLOW: ': put a value that contains ": " in quotes',
  BAD_ALIAS: ': put a value that begins with "*" or "&" in quotes',
  BAD_INDENT: ': fix the indentation',
  BAD_SCALAR_START: ': put the value in quotes',
  TAG_RESOLVE_FAILED: ': put a value that begins with "!" in quotes',
  TAB_AS_INDENT: ': use spaces',
};

function problemOf(error: YAMLError): string {
  // The library's text names one of its own functions.
  if (error.code === 'MULTIPLE_DOCS') {
    return 'the file has several YAML documents: keep one of them, without a line "---" after it';
  }
  return oneLine(error.message) + remedyOf(error);
}

function remedyOf({ code, message }: YAMLError): string {
  if (message.startsWith('Sequence item without')) {
    return ': indent the line as deep as the keys of its item, or begin an item with "- "';
  }
  const isAfterValue = code === 'UNEXPECTED_TOKEN' && message.endsWith(' at node end');
  return isAfterValue ? ': put the whole value in quotes' : (remedies[code] ?? '');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | undefined {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = keyAt(document, path.slice(0, depth)) ?? document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

/** Returns the key that names the value at a path. Its value may begin on a later line. */
function keyAt(document: Document, path: readonly PropertyKey[]): unknown {
  const parent = document.getIn(path.slice(0, -1), true);
  if (path.length === 0 || !isMap(parent)) return undefined;
  return parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))?.key;
}
