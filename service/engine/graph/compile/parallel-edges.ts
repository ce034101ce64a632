import type { Diagnostic } from '../diagnostic.ts';

interface Edge {
  id: string;
  from: string;
  to: string;
}

/**
 * Returns a function that adds the position and id of an edge to its diagnostic if another edge connects the same
 * nodes. Otherwise the text names an edge only by its nodes.
 *
 * @param edges in the order of the document
 */
export function parallelEdges(edges: readonly Edge[]): (diagnostic: Diagnostic) => Diagnostic {
  const counts = new Map<string, number>();
  for (const edge of edges) counts.set(endsOf(edge), (counts.get(endsOf(edge)) ?? 0) + 1);
  const positions = new Map(edges.map((edge, index) => [edge.id, { edge, index }]));
  return (diagnostic) => {
    const found = positions.get(diagnostic.edge ?? '');
    if (!found || counts.get(endsOf(found.edge)) === 1) return diagnostic;
    const { edge, index } = found;
    return { ...diagnostic, message: `${diagnostic.message} (edges[${index}], id "${edge.id}")` };
  };
}

function endsOf({ from, to }: Edge): string {
  return JSON.stringify([from, to]);
}
