import { type Document, LineCounter, parseDocument } from 'yaml';

/** A parsed YAML text, with the lines of its parts. */
interface YamlText {
  value: unknown;
  /** Returns the line of the value at a path, or of its nearest existing parent. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

/**
 * Reads a YAML or JSON text.
 *
 * @returns the value, or the problems with their lines, for example `3: Flow map must end with a }`
 */
export function readYaml(text: string): YamlText | { problems: string[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return {
      problems: document.errors.map((error) => `${lines.linePos(error.pos[0]).line}: ${error.message}`),
    };
  }
  try {
    return { value: document.toJS() as unknown, lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    // Aliases that expand without bounds, or without an anchor.
    return { problems: [`1: ${error instanceof Error ? error.message : String(error)}`] };
  }
}

function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | undefined {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true) as
      { range?: [number, number, number] } | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}
