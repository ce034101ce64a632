import type { GraphDocumentEdge } from '../../../specs/operations/graph-shapes.ts';

export type IdentifiedEdge = GraphDocumentEdge & { id: string };

/** Gives every edge an id: its own, or `<from>_<to>`, with a number behind it where that is taken. */
export function identifyEdges(edges: readonly GraphDocumentEdge[]): IdentifiedEdge[] {
  const taken = new Set(edges.flatMap((edge) => edge.id ?? []));
  return edges.map((edge) => ({ ...edge, id: edge.id ?? freeId(`${edge.from}_${edge.to}`, taken) }));
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}_${number}`;
  taken.add(id);
  return id;
}

interface Link {
  from: string;
  to: string;
}

/** The nodes that paths lead to from `start`, itself included; `backward`: the nodes from which paths lead to it. */
export function reachableFrom(
  start: string,
  edges: readonly Link[],
  direction: 'forward' | 'backward',
): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const [here, there] = direction === 'forward' ? [from, to] : [to, from];
    next.set(here, [...(next.get(here) ?? []), there]);
  }
  const reached = new Set([start]);
  // A Set also visits what is added while it is walked.
  for (const id of reached) for (const neighbour of next.get(id) ?? []) reached.add(neighbour);
  return reached;
}
