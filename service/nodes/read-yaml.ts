import { type Document, type ErrorCode, LineCounter, parseDocument } from 'yaml';

/** A parsed YAML text, with the lines of its parts. */
interface YamlText {
  value: unknown;
  /** Returns the line of the value at a path, or of its nearest existing parent. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

/**
 * Reads a YAML or JSON text.
 *
 * @returns the value, or the first problem with its line and column, for example `3:5: Flow map must end with a }`. Further ones
 *   usually follow from the first.
 */
export function readYaml(text: string): YamlText | { problem: string } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [first] = document.errors.toSorted((one, other) => one.pos[0] - other.pos[0]);
  if (first) {
    const { line, col } = lines.linePos(first.pos[0]);
    return { problem: `${line}:${col}: ${oneLine(first.message)}${remedies[first.code] ?? ''}` };
  }
  try {
    return { value: document.toJS() as unknown, lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    // Aliases that expand without bounds, or without an anchor.
    return { problem: `1:1: ${oneLine(error instanceof Error ? error.message : String(error))}` };
  }
}

/** What usually mends an error whose text does not say it. */
const remedies: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY: ': put a value that contains ": " in quotes, or mend the indentation',
  TAB_AS_INDENT: ': use spaces',
};

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | undefined {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true) as
      { range?: [number, number, number] } | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}
