import { fitsLine } from './layout.ts';

/** Returns an import of names, sorted, broken as prettier would; undefined if there is nothing to import. */
export function importNames(
  names: Iterable<string>,
  from: string,
  keyword: 'import' | 'import type' = 'import',
): string | undefined {
  const sorted = [...new Set(names)].sort(byName);
  if (sorted.length === 0) return undefined;
  // A single name stays on its line, no matter how long the line becomes.
  if (sorted.length === 1) return `${keyword} { ${sorted.join('')} } from "${from}";`;
  const flat = `${keyword} { ${sorted.join(', ')} } from "${from}";`;
  if (fitsLine(flat)) return flat;
  return `${keyword} {\n${sorted.map((name) => `  ${name},\n`).join('')}} from "${from}";`;
}

/** Omits unused imports. */
export function importLines(...lines: (string | undefined | false)[]): string[] {
  return lines.filter((line) => typeof line === 'string');
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
