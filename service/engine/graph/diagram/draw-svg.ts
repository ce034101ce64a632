import { escapeMarkup } from '../../../../generator/text/markup.ts';
import { showInvisible } from '../../../../generator/text/show-invisible.ts';
import type { CompiledEdge, CompiledGraph, CompiledNode } from '../compiled-graph.ts';
import { edgeCaption, nodeCaption, nodeMarks } from './captions.ts';
import { type Box, captionWidth, type Picture, placeBoxes, type Point } from './place-boxes.ts';
import { captionHeight, placeCaptions, type Span } from './place-captions.ts';

/** The pages' colours (service/pages/assets/pages.css), with a line colour that is visible on both backgrounds. */
const style = `
  svg { --ink: #1b1c1f; --quiet: #5b5f67; --line: #7b8794; --paper: #ffffff; --fill: #f6f6f7; --end: #dbeafe; }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #ececee; --quiet: #b4b8c0; --line: #8a8f98; --paper: #0f0f10; --fill: #1a1b1d; --end: #16324f; }
  }
  text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); text-anchor: middle; }
  .id { font-weight: bold; }
  .origin { fill: var(--quiet); }
  rect { fill: var(--fill); stroke: var(--line); }
  .paper { fill: var(--paper); stroke: none; }
  .entry rect, .terminal rect { fill: var(--end); }
  .mocked rect { stroke-dasharray: 5 4; }
  .join rect { stroke-width: 3; }
  path { fill: none; stroke: var(--line); }
  marker path { fill: var(--line); stroke: none; }
  .back { text-anchor: start; }
  .condition { stroke: var(--paper); stroke-width: 4px; paint-order: stroke; }
`;

/** Space on both sides of a caption, in pixels. */
const captionPadding = 6;

/** Draws a flow as a standalone SVG: rows from the entry down, back edges at the right. All text is escaped. */
export function drawSvg(graph: CompiledGraph): string {
  const picture = placeBoxes(graph);
  const { width, height } = picture;
  const title = escape(graph.name);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>',
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...graph.edges.map((edge) => drawLine(edge, picture)),
    // Above all lines, each with its own background.
    ...drawCaptions(graph, picture),
    ...graph.nodes.map((node) => drawNode(graph, node, picture.boxes.get(node.id))),
    '</svg>',
    '',
  ].join('\n');
}

function drawNode(graph: CompiledGraph, node: CompiledNode, box: Box | undefined): string {
  if (!box) return '';
  const center = box.x + box.width / 2;
  const lines = nodeCaption(node).map((line, index) => {
    const role = ['id', 'name', 'origin'][index] ?? '';
    return `<text class="${role}" x="${center}" y="${box.y + 19 + index * 16}">${escape(line)}</text>`;
  });
  const rounding = node.id === graph.entry || node.id === graph.terminal ? 30 : 6;
  const rect = `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="${rounding}"/>`;
  return `<g class="${nodeMarks(graph, node).join(' ')}">${rect}${lines.join('')}</g>`;
}

function drawLine(edge: CompiledEdge, { boxes, routes, lanes }: Picture): string {
  const [source, target] = [boxes.get(edge.from), boxes.get(edge.to)];
  if (!source || !target) return '';
  const lane = lanes.get(edge.id);
  const line = lane === undefined ? downward(routes.get(edge.id) ?? []) : backward(source, target, lane);
  return `<path d="${line}" marker-end="url(#arrow)"/>`;
}

/** A line that leaves and enters each row vertically. */
function downward(points: readonly Point[]): string {
  const [first = { x: 0, y: 0 }, ...rest] = points;
  let line = `M${first.x} ${first.y}`;
  let from = first;
  for (const to of rest) {
    const middle = (from.y + to.y) / 2;
    line += from.x === to.x ? `V${to.y}` : `C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
    from = to;
  }
  return line;
}

/** A line from the right of the source, up its lane, to the right of the target. */
function backward(source: Box, target: Box, lane: number): string {
  const [out, into] = backEnds(source, target);
  return `M${out.x} ${out.y}H${lane - 8}Q${lane} ${out.y} ${lane} ${out.y - 8}V${into.y + 8}Q${lane} ${into.y} ${lane - 8} ${into.y}H${into.x}`;
}

function backEnds(source: Box, target: Box): [out: Point, into: Point] {
  return [
    { x: source.x + source.width, y: source.y + source.height * 0.7 },
    { x: target.x + target.width, y: target.y + target.height * 0.3 },
  ];
}

function drawCaptions({ edges }: CompiledGraph, picture: Picture): string[] {
  const { boxes, routes, lanes, captions } = picture;
  const spans = [...routes].flatMap(([edge, points]) => spansOf(edge, points));
  const forward = edges.filter((edge) => routes.has(edge.id) && edgeCaption(edge) !== undefined);
  const widths = new Map(forward.map((edge) => [edge.id, captionWidth(edge) + captionPadding]));
  const places = placeCaptions(spans, widths, picture.width);
  return edges.flatMap((edge) => {
    const caption = edgeCaption(edge);
    const [source, target] = [boxes.get(edge.from), boxes.get(edge.to)];
    if (caption === undefined || !source || !target) return [];
    if (lanes.has(edge.id)) {
      const [out, into] = backEnds(source, target);
      return `<text class="condition back" x="${captions}" y="${(out.y + into.y) / 2 + 4}">${escape(caption)}</text>`;
    }
    const center = places.get(edge.id);
    const width = widths.get(edge.id) ?? 0;
    if (!center) return [];
    const [x, y] = [Math.round(center.x - width / 2), Math.round(center.y - captionHeight / 2)];
    const paper = `<rect class="paper" x="${x}" y="${y}" width="${width}" height="${captionHeight}"/>`;
    return `${paper}<text class="condition" x="${x + width / 2}" y="${y + 13}">${escape(caption)}</text>`;
  });
}

/** The first part of each pair of points lies between two rows, the second passes a row. */
function spansOf(edge: string, points: readonly Point[]): Span[] {
  return points.flatMap((from, index) => {
    const to = points[index + 1];
    return to === undefined || index % 2 === 1 ? [] : [{ edge, from, to }];
  });
}

function escape(text: string): string {
  return escapeMarkup(showInvisible(text));
}
