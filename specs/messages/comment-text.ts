import type { SourceCodeInfo_Location } from '@bufbuild/protobuf/wkt';

/**
 * Returns the comment of a declaration as plain text: lines separated by `\n`, without the common indentation, without
 * blank lines at either end. The comment before the declaration takes precedence over the one after it.
 */
export function commentText(location: SourceCodeInfo_Location | undefined): string {
  if (location === undefined) return '';
  return clean(location.leadingComments) || clean(location.trailingComments);
}

function clean(comment: string): string {
  if (comment === '') return '';
  const lines = comment
    // The compiler reports `/** text */` as `* text`.
    .replace(/^\*(?=\s)/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll('\t', '  ').trimEnd())
    .filter((line) => !/^\s*buf:lint:/.test(line));
  const used = lines.filter((line) => line !== '');
  // The first line of a block comment follows `/*`, so its indentation does not count.
  const indents = (used.length > 1 && used[0] === lines[0] ? used.slice(1) : used).map(indentation);
  const indent = Math.min(...indents);
  const text = lines.map((line) => line.slice(Math.min(indent, indentation(line)))).join('\n');
  return text.replace(/^[\s]+|\s+$/g, '');
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}
