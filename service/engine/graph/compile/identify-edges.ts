import type { GraphDocumentEdge } from '../../../../specs/operations/graph-shapes.ts';

/** An edge of a document with its id. `checkStructure` reports duplicate ids. */
export type IdentifiedEdge = GraphDocumentEdge & { id: string };

/** Gives every edge an id: its own, or `<from>_<to>`, with a number appended if that id is taken. */
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
