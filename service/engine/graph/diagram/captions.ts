import type { CompiledEdge, CompiledGraph, CompiledNode } from '../compiled-graph.ts';

/** What a picture says of a node: what it is called here, what it is, where it comes from. */
export function nodeCaption(node: CompiledNode): [id: string, name: string, origin: string] {
  return [node.id, node.nodeName, `${node.packageName} ${node.version}`];
}

/** What a picture says beside an edge: its condition, cut where it is long. */
export function edgeCaption({ condition }: CompiledEdge): string | undefined {
  if (condition === undefined) return undefined;
  const folded = condition.replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(folded);
  return characters.length > maxCaption ? `${characters.slice(0, maxCaption - 1).join('')}…` : folded;
}

const maxCaption = 40;

/** Marks of a node that decide how it is drawn. */
export function nodeMarks(graph: CompiledGraph, { id, mock, join }: CompiledNode): string[] {
  return [
    ...(id === graph.entry ? ['entry'] : []),
    ...(id === graph.terminal ? ['terminal'] : []),
    ...(mock ? ['mocked'] : []),
    ...(join ? ['join'] : []),
  ];
}
