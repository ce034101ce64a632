import { readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

import type { Prose } from './rules/named-paths.ts';
import { listFiles, type SourceFile, type SourceTree } from './source-tree.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
/** Folders whose comments are read. */
const commented = /^(?:service|generator|specs|test)\//;
/** Sources of other languages, and TypeScript that is copied into archives. */
const template = /\.(?:ts|js|py|go|rs|java|cs|hbs|toml)$/;
const commentLine = /^\s*(?:\/\/|#|\*|\/\*|"""|<!--|--)/;

/** The prose of the project: documents, and comments in sources. */
export function readProse(tree: SourceTree): Prose[] {
  const pages = [
    ...documents,
    ...['docs', 'test', 'fixtures'].flatMap((folder) =>
      listFiles(folder).filter((file) => file.endsWith('.md')),
    ),
  ].map((file) => ({ file, line: 1, text: read(file) }));
  const sources = [...tree.values()].filter((file) => commented.test(file.path));
  const templates = listFiles('templates').filter((file) => template.test(file));
  return [...pages, ...sources.flatMap(commentsOf), ...templates.map(commentLines)];
}

/** Comments of a module of the project. */
export function commentsOf({
  path: file,
  text,
  syntax,
}: Pick<SourceFile, 'path' | 'text' | 'syntax'>): Prose[] {
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(text, node.pos) ?? [];
    const trailing = ts.getTrailingCommentRanges(text, node.end) ?? [];
    for (const range of [...leading, ...trailing]) ranges.set(range.pos, range);
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  // The end of the file holds what stands behind the last statement.
  visit(syntax.endOfFileToken);
  return [...ranges.values()].map(({ pos, end }) => ({
    file,
    line: syntax.getLineAndCharacterOfPosition(pos).line + 1,
    text: text.slice(pos, end),
  }));
}

/** Lines that are comments, the others empty: enough for sources that no parser of ours reads. */
function commentLines(file: string): Prose {
  const lines = read(file).split('\n');
  return { file, line: 1, text: lines.map((line) => (commentLine.test(line) ? line : '')).join('\n') };
}

function read(file: string): string {
  return readFileSync(path.join(projectRoot, file), 'utf8');
}
