import type { GraphDocumentEdge } from '../../../specs/operations/graph-shapes.ts';

export type IdentifiedEdge = GraphDocumentEdge & { id: string };

/** Gives every edge an id: its own, or `<from>_<to>`, with a number behind it where that is taken. */
export function identifyEdges(edges: readonly GraphDocumentEdge[]): IdentifiedEdge[] {
  const taken = new Set(edges.flatMap((edge) => edge.id ?? []));
  const tried = new Map<string, number>();
  const freeId = (wanted: string): string => {
    let number = tried.get(wanted) ?? 1;
    let id = wanted;
    while (taken.has(id)) id = `${wanted}_${(number += 1)}`;
    tried.set(wanted, number);
    taken.add(id);
    return id;
  };
  return edges.map((edge) => ({ ...edge, id: edge.id ?? freeId(`${edge.from}_${edge.to}`) }));
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
  const [here, there] = direction === 'forward' ? (['from', 'to'] as const) : (['to', 'from'] as const);
  const next = Map.groupBy(edges, (edge) => edge[here]);
  const reached = new Set([start]);
  // A Set also visits what is added while it is walked.
  for (const id of reached) for (const edge of next.get(id) ?? []) reached.add(edge[there]);
  return reached;
}
