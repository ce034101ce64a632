import { type Document, LineCounter, parseDocument } from 'yaml';

/** YAML as read: its value, and where each part of it stands. */
export interface YamlText {
  value: unknown;
  /** Line of what stands at the path, or of the nearest thing around it that is there. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

/**
 * Reads a YAML or JSON text; JSON is YAML too.
 *
 * @returns the value, or every problem with its line: `3: Flow map must end with a }`
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
    // Aliases that unfold to more than any package holds, or of no anchor.
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
