import type { CompiledEdge, CompiledGraph, CompiledNode } from '../compiled-graph.ts';

/** Returns the caption lines of a node. */
export function nodeCaption(node: CompiledNode): [id: string, name: string, origin: string] {
  return [node.id, node.nodeName, `${node.packageName} ${node.version}`];
}

/** Returns the caption of an edge: its condition, truncated to 40 characters. */
export function edgeCaption({ condition }: CompiledEdge): string | undefined {
  if (condition === undefined) return undefined;
  const folded = condition.replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(folded);
  return characters.length > maxCaption ? `${characters.slice(0, maxCaption - 1).join('')}…` : folded;
}

const maxCaption = 40;

/** Returns the roles of a node that change how it is drawn. */
export function nodeMarks(graph: CompiledGraph, { id, mock, join }: CompiledNode): string[] {
  return [
    ...(id === graph.entry ? ['entry'] : []),
    ...(id === graph.terminal ? ['terminal'] : []),
    ...(mock ? ['mocked'] : []),
    ...(join ? ['join'] : []),
  ];
}
