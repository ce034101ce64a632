import type { CompiledEdge, CompiledGraph } from '../compiled-graph.ts';

interface Layers {
  /** Rows from the entry down, each from left to right. Slots hold nodes, or the places where long edges pass between nodes. */
  rows: Slot[][];
  /** The slots of an edge from its source to its target, by edge id. */
  chains: ReadonlyMap<string, Slot[]>;
  /** Edges that close a loop, including self loops. They are drawn next to the rows. */
  back: readonly CompiledEdge[];
}

/** A place in a row. */
export interface Slot {
  /** Absent if an edge passes here. */
  node: string | undefined;
  /** From 0 at the top. */
  row: number;
}

/**
 * Maximum number of slots for passing edges. Beyond it, long edges are drawn straight, because a picture of that size
 * is unreadable either way.
 */
const mostPasses = 5_000;

/** How often slots are sorted by their neighbours above and below. More sweeps change little. */
const sweeps = 4;

/**
 * Lays out a flow by Sugiyama's method: cut loops, assign rows by longest path, order slots by the barycenter of their
 * neighbours.
 */
export function layerGraph(graph: Pick<CompiledGraph, 'entry' | 'nodes' | 'edges'>): Layers {
  const back = backEdges(graph);
  const forward = graph.edges.filter((edge) => !back.has(edge));
  const rowOf = longestPaths(graph, forward);
  const rows: Slot[][] = [];
  const place = (slot: Slot): Slot => {
    (rows[slot.row] ??= []).push(slot);
    return slot;
  };
  const slots = new Map(graph.nodes.map(({ id }) => [id, place({ node: id, row: rowOf.get(id) ?? 0 })]));
  const chains = new Map<string, Slot[]>();
  let passes = 0;
  for (const edge of forward) {
    const [source, target] = [slots.get(edge.from), slots.get(edge.to)];
    if (!source || !target) continue;
    passes += target.row - source.row - 1;
    const length = passes > mostPasses ? 0 : target.row - source.row - 1;
    const between = Array.from({ length }, (_, index) =>
      place({ node: undefined, row: source.row + index + 1 }),
    );
    chains.set(edge.id, [source, ...between, target]);
  }
  sortRows(rows, [...chains.values()]);
  return { rows, chains, back: graph.edges.filter((edge) => back.has(edge)) };
}

/** The back edges of a depth-first search from the entry. */
function backEdges({
  entry,
  nodes,
  edges,
}: Pick<CompiledGraph, 'entry' | 'nodes' | 'edges'>): Set<CompiledEdge> {
  const outgoing = Map.groupBy(edges, (edge) => edge.from);
  const back = new Set<CompiledEdge>();
  const state = new Map<string, 'open' | 'done'>();
  const visit = (id: string): void => {
    state.set(id, 'open');
    for (const edge of outgoing.get(id) ?? []) {
      if (state.get(edge.to) === 'open') back.add(edge);
      else if (!state.has(edge.to)) visit(edge.to);
    }
    state.set(id, 'done');
  };
  for (const id of [entry, ...nodes.map((node) => node.id)]) if (!state.has(id)) visit(id);
  return back;
}

/** Row by node id: one below the lowest predecessor. `edges` must be acyclic. */
function longestPaths(
  { nodes }: Pick<CompiledGraph, 'nodes'>,
  edges: readonly CompiledEdge[],
): Map<string, number> {
  const incoming = Map.groupBy(edges, (edge) => edge.to);
  const rows = new Map<string, number>();
  const rowOf = (id: string): number => {
    const known = rows.get(id);
    if (known !== undefined) return known;
    const row = Math.max(-1, ...(incoming.get(id) ?? []).map((edge) => rowOf(edge.from))) + 1;
    rows.set(id, row);
    return row;
  };
  for (const { id } of nodes) rowOf(id);
  return rows;
}

function sortRows(rows: readonly Slot[][], chains: readonly Slot[][]): void {
  const links = chains.flatMap((chain) =>
    chain.slice(1).flatMap((slot, index): Link[] => {
      const upper = chain[index];
      return upper ? [[upper, slot]] : [];
    }),
  );
  const above = neighboursOf(links.map(([upper, lower]) => [lower, upper]));
  const below = neighboursOf(links);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const down = sweep % 2 === 0;
    const neighbours = down ? above : below;
    for (const row of down ? rows : rows.toReversed()) {
      const places = new Map(
        (rows[(row[0]?.row ?? 0) + (down ? -1 : 1)] ?? []).map((slot, index) => [slot, index]),
      );
      const middle = new Map<Slot, number>();
      for (const [index, slot] of row.entries()) {
        let sum = 0;
        let count = 0;
        for (const one of neighbours.get(slot) ?? []) {
          const place = places.get(one);
          if (place === undefined) continue;
          sum += place;
          count += 1;
        }
        middle.set(slot, count > 0 ? sum / count : index);
      }
      row.sort((one, other) => (middle.get(one) ?? 0) - (middle.get(other) ?? 0));
    }
  }
}

/** A slot and the next slot of an edge. */
type Link = readonly [Slot, Slot];

function neighboursOf(links: readonly Link[]): ReadonlyMap<Slot, Slot[]> {
  const found = new Map<Slot, Slot[]>();
  for (const [slot, neighbour] of links) {
    const known = found.get(slot);
    if (known) known.push(neighbour);
    else found.set(slot, [neighbour]);
  }
  return found;
}
