import type { Rule, SourceTree } from '../source-tree.ts';

/** No module reaches itself by imports, including imports of types. */
export const importCycles: Rule = (tree) =>
  findCycles(tree.keys(), (file) => targets(tree, file)).map((cycle) => cycle.join(' -> '));

/** Cycles of a graph, each as a path that ends where it begins. Tangled nodes can be on several. */
export function findCycles(nodes: Iterable<string>, next: (node: string) => readonly string[]): string[][] {
  const done = new Set<string>();
  const found: string[][] = [];
  const trail: string[] = [];
  const visit = (node: string): void => {
    const at = trail.indexOf(node);
    if (at >= 0) {
      found.push([...trail.slice(at), node]);
      return;
    }
    if (done.has(node)) return;
    trail.push(node);
    for (const target of next(node)) visit(target);
    trail.pop();
    done.add(node);
  };
  for (const node of nodes) visit(node);
  return found;
}

function targets(tree: SourceTree, file: string): string[] {
  const imports = tree.get(file)?.imports ?? [];
  return imports.flatMap(({ target }) => (target !== undefined && tree.has(target) ? [target] : []));
}
