import { limits } from '../../../specs/limits.ts';
import type { ProtoDiagnostic } from '../../errors/proto-compile-error.ts';

/**
 * Finds sources that are too expensive to compile, without parsing them. buf needs gigabytes for 100,000 nested messages, and time in
 * proportion to the column of each token: 20 s for 10,000 messages on one line.
 *
 * @param sources by import path
 */
export function scanSources(sources: Readonly<Record<string, string>>): ProtoDiagnostic[] {
  const used = { statements: 0, columns: 0 };
  for (const [file, source] of Object.entries(sources)) {
    const problem = scanSource(source, used);
    if (problem) return [{ file, ...problem }];
  }
  return [];
}

interface Used {
  /** Number of statements in all sources. */
  statements: number;
  /** Sum of the columns of all tokens. */
  columns: number;
}

type Problem = Omit<ProtoDiagnostic, 'file'>;

/** An unterminated string extends to the end of its line, an unterminated block comment to the end of the source. */
const token = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\n|\w+|[^\s\w]/g;

function scanSource(source: string, used: Used): Problem | undefined {
  let [line, lineStart, depth] = [1, 0, 0];
  for (const { 0: text, index } of source.matchAll(token)) {
    if (text === '\n') {
      line += 1;
      lineStart = index + 1;
      continue;
    }
    const column = index - lineStart + 1;
    used.columns += column;
    if ('{[(<'.includes(text)) depth += 1;
    else if (']})>'.includes(text)) depth = Math.max(0, depth - 1);
    if (text === ';' || text === '{') used.statements += 1;
    // A map field declares a message with two fields, and takes four times as long to link as another field.
    else if (text === 'map') used.statements += 3;
    const message = problemAt(text, depth, used);
    if (message !== undefined) return { line, column, message };
    if (text.startsWith('/*')) {
      line += text.split('\n').length - 1;
      if (text.includes('\n')) lineStart = index + text.lastIndexOf('\n') + 1;
    }
  }
  return undefined;
}

function problemAt(text: string, depth: number, { statements, columns }: Used): string | undefined {
  if (depth > limits.protoNesting) {
    return `declarations nest deeper than ${limits.protoNesting} levels: declare the inner ones at the top`;
  }
  if (statements > limits.protoStatements) {
    return `the sources have more than ${limits.protoStatements} statements (messages, fields, enum values and others): split the package`;
  }
  if (columns > limits.protoColumns) {
    return 'the lines are too long to compile in time: break the line after each statement';
  }
  if (text.length > limits.protoNameCharacters && /^\w/.test(text)) {
    return `the name is longer than ${limits.protoNameCharacters} characters: shorten it`;
  }
  return undefined;
}
