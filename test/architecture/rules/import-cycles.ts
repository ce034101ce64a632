import type { Rule, SourceTree } from '../source-tree.ts';

/** No module reaches itself by imports, those of types included. Each knot is told once, by one round trip through it. */
export const importCycles: Rule = (tree) => {
  const done = new Set<string>();
  const found: string[] = [];
  const trail: string[] = [];
  const visit = (file: string): void => {
    const at = trail.indexOf(file);
    if (at >= 0) {
      found.push([...trail.slice(at), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    trail.push(file);
    for (const next of targets(tree, file)) visit(next);
    trail.pop();
    done.add(file);
  };
  for (const file of tree.keys()) visit(file);
  return found;
};

function targets(tree: SourceTree, file: string): string[] {
  const imports = tree.get(file)?.imports ?? [];
  return imports.flatMap(({ target }) => (target !== undefined && tree.has(target) ? [target] : []));
}
