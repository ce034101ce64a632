import type { CompiledEdge, CompiledGraph } from '../compiled-graph.ts';
import { edgeCaption, nodeCaption } from './captions.ts';
import { layerGraph, type Slot } from './layers.ts';

/** A rectangle in the coordinates of a `Picture`. */
export interface Box {
  /** Upper left corner. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A position in the coordinates of a `Picture`. */
export interface Point {
  x: number;
  y: number;
}

/** Where everything is drawn: in pixels, from the upper left corner. */
export interface Picture {
  width: number;
  height: number;
  /** By node id. */
  boxes: ReadonlyMap<string, Box>;
  /** By edge id: the points where an edge leaves, crosses rows and arrives. */
  routes: ReadonlyMap<string, Point[]>;
  /** By edge id: the x coordinate of a back edge. */
  lanes: ReadonlyMap<string, number>;
  /** The x coordinate of the captions of back edges. */
  captions: number;
}

/** In pixels. `character` is the approximate width of a character of the label font. */
const sizes = {
  margin: 24,
  gap: 32,
  row: 72,
  boxHeight: 60,
  padding: 28,
  character: 7.2,
  lane: 20,
  pass: 24,
};

/** Computes the position of every element of the picture. */
export function placeBoxes(graph: CompiledGraph): Picture {
  const { rows, chains, back } = layerGraph(graph);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const widthOf = ({ node }: Slot): number => {
    const placed = node === undefined ? undefined : nodes.get(node);
    if (!placed) return sizes.pass;
    const longest = Math.max(...nodeCaption(placed).map((line) => line.length));
    return Math.round(longest * sizes.character + sizes.padding);
  };
  const rooms = captionRooms(graph, chains);
  const roomOf = (slot: Slot): number => Math.max(widthOf(slot), rooms.get(slot) ?? 0);
  const rowWidths = rows.map((row) => row.reduce((sum, slot) => sum + roomOf(slot) + sizes.gap, -sizes.gap));
  const inner = Math.max(0, ...rowWidths);
  const narrowest = Math.min(...rows.flat().map(widthOf));
  const forwardCaption = Math.max(0, ...graph.edges.filter((edge) => chains.has(edge.id)).map(captionWidth));
  const backCaption = Math.max(0, ...back.map(captionWidth));
  // A caption is centered on its edge, which may be near the side.
  const margin = Math.max(sizes.margin, Math.ceil((forwardCaption - narrowest) / 2));
  const places = new Map<Slot, Box>();
  rows.forEach((row, index) => {
    let x = margin + (inner - (rowWidths[index] ?? 0)) / 2;
    const y = sizes.margin + index * (sizes.boxHeight + sizes.row);
    for (const slot of row) {
      const [width, room] = [widthOf(slot), roomOf(slot)];
      places.set(slot, { x: x + (room - width) / 2, y, width, height: sizes.boxHeight });
      x += room + sizes.gap;
    }
  });
  const right = margin + inner;
  const captions = right + (back.length + 1) * sizes.lane;
  return {
    width: Math.ceil(back.length > 0 ? captions + backCaption + sizes.margin : right + margin),
    height: 2 * sizes.margin + rows.length * (sizes.boxHeight + sizes.row) - sizes.row,
    boxes: new Map([...places].flatMap(([slot, box]) => (slot.node === undefined ? [] : [[slot.node, box]]))),
    routes: new Map([...chains].map(([id, chain]) => [id, routeOf(chain, places)])),
    lanes: new Map(back.map((edge, index) => [edge.id, right + (index + 1) * sizes.lane])),
    captions,
  };
}

/**
 * Returns the width that each slot needs for the captions of its edges. Room for a caption is reserved at the next
 * slot of the edge if no other edge enters that slot, otherwise at the slot of the source.
 */
function captionRooms(graph: CompiledGraph, chains: ReadonlyMap<string, readonly Slot[]>): Map<Slot, number> {
  const captions = graph.edges.map((edge) => ({
    width: captionWidth(edge),
    chain: chains.get(edge.id) ?? [],
  }));
  const arriving = Map.groupBy(captions, ({ chain }) => chain[1]);
  const rooms = new Map<Slot, number>();
  for (const { width, chain } of captions) {
    const [source, next] = chain;
    if (width === 0 || !source || !next) continue;
    const slot = arriving.get(next)?.length === 1 ? next : source;
    // Leaves space for the lines of other edges, which come from the side.
    rooms.set(slot, Math.max(rooms.get(slot) ?? 0, Math.ceil(width * 1.25)));
  }
  return rooms;
}

/** Returns the width of an edge's caption in pixels, or 0 without a caption. */
export function captionWidth(edge: CompiledEdge): number {
  return Math.ceil((edgeCaption(edge)?.length ?? 0) * sizes.character);
}

function routeOf(chain: readonly Slot[], places: ReadonlyMap<Slot, Box>): Point[] {
  return chain.flatMap((slot, index) => {
    const box = places.get(slot);
    if (!box) return [];
    const x = box.x + box.width / 2;
    const [top, bottom] = [
      { x, y: box.y },
      { x, y: box.y + box.height },
    ];
    if (index === 0) return [bottom];
    return index === chain.length - 1 ? [top] : [top, bottom];
  });
}
