import { lineWidth } from './line-width.ts';

/** `from acme_words import Client, messages`, broken as ruff would break it if too long, with the names in ruff's order. */
export function importLine(module: string, names: Iterable<string>): string {
  const sorted = [...new Set(names)].sort(byKind);
  const flat = `from ${module} import ${sorted.join(', ')}`;
  if (flat.length <= lineWidth) return flat;
  return [`from ${module} import (`, ...sorted.map((name) => `    ${name},`), ')'].join('\n');
}

/** Classes before modules, as import sorters do. */
function byKind(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
