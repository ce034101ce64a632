import type { CompiledGraph } from '../compiled-graph.ts';
import { nodeCaption } from './captions.ts';
import { layerGraph, type Slot } from './layers.ts';

export interface Box {
  /** Left upper corner. */
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Picture {
  width: number;
  height: number;
  /** By node id. */
  boxes: ReadonlyMap<string, Box>;
  /** By edge id: where an edge leaves, the rows that it passes, and where it arrives. */
  routes: ReadonlyMap<string, Point[]>;
  /** By edge id: how far right an edge that leads back runs. */
  lanes: ReadonlyMap<string, number>;
}

/** In pixels. A character of the label font is about `character` wide. */
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

/** Decides where everything of the picture stands. */
export function placeBoxes(graph: CompiledGraph): Picture {
  const { rows, chains, back } = layerGraph(graph);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const widthOf = ({ node }: Slot): number => {
    const placed = node === undefined ? undefined : nodes.get(node);
    if (!placed) return sizes.pass;
    const longest = Math.max(...nodeCaption(placed).map((line) => line.length));
    return Math.round(longest * sizes.character + sizes.padding);
  };
  const rowWidths = rows.map((row) => row.reduce((sum, slot) => sum + widthOf(slot) + sizes.gap, -sizes.gap));
  const inner = Math.max(0, ...rowWidths);
  const places = new Map<Slot, Box>();
  rows.forEach((row, index) => {
    let x = sizes.margin + (inner - (rowWidths[index] ?? 0)) / 2;
    const y = sizes.margin + index * (sizes.boxHeight + sizes.row);
    for (const slot of row) {
      places.set(slot, { x, y, width: widthOf(slot), height: sizes.boxHeight });
      x += widthOf(slot) + sizes.gap;
    }
  });
  const right = sizes.margin + inner;
  return {
    width: Math.ceil(right + sizes.margin + back.length * sizes.lane),
    height: 2 * sizes.margin + rows.length * (sizes.boxHeight + sizes.row) - sizes.row,
    boxes: new Map([...places].flatMap(([slot, box]) => (slot.node === undefined ? [] : [[slot.node, box]]))),
    routes: new Map([...chains].map(([id, chain]) => [id, routeOf(chain, places)])),
    lanes: new Map(back.map((edge, index) => [edge.id, right + (index + 1) * sizes.lane])),
  };
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
