import type { Point } from './place-boxes.ts';

/** A line between two rows. It leaves and enters them vertically, as a cubic curve. */
export interface Span {
  edge: string;
  from: Point;
  to: Point;
}

interface Place {
  center: Point;
  width: number;
}

/**
 * Where a caption may be on its line, from its beginning (0) to its end (1), best first: lines are farthest apart at their ends.
 */
const positions = [0.5, 0.65, 0.8, 0.35, 0.2];

/** How far a caption may be moved sideways, as fractions of its width: its line still passes through it. */
const shifts = [0, -0.2, 0.2, -0.35, 0.35];

/** With more lines than this between two rows, captions stay in the middle: nothing is readable there, and searching takes long. */
const maxLines = 200;

/** A caption on top of another one is as bad as one on this many lines. */
const unreadable = 10;

export const captionHeight = 18;

/**
 * Places each caption on its line where it covers no other line or caption, or as few as possible, so that readers match each
 * condition to its own edge.
 *
 * @param spans lines of all edges
 * @param widths width of the caption by edge; it is placed on the first span of the edge
 * @param frame width of the picture
 * @returns centers by edge
 */
export function placeCaptions(
  spans: readonly Span[],
  widths: ReadonlyMap<string, number>,
  frame: number,
): ReadonlyMap<string, Point> {
  const rows = Map.groupBy(spans, ({ from }) => from.y);
  const lines = Map.groupBy(spans, ({ edge }) => edge);
  const placed = new Map<string, Place>();
  for (const [edge, width] of widths) {
    const [own] = lines.get(edge) ?? [];
    if (!own) continue;
    const row = rows.get(own.from.y) ?? [];
    const others = row.length > maxLines ? [] : row.filter((span) => span !== own);
    const captions = row.flatMap((span) => placed.get(span.edge) ?? []);
    placed.set(edge, bestPlace(own, { width, frame, others, captions }));
  }
  return new Map([...placed].map(([edge, { center }]) => [edge, center]));
}

interface Surroundings {
  width: number;
  frame: number;
  others: readonly Span[];
  captions: readonly Place[];
}

function bestPlace(own: Span, { width, frame, others, captions }: Surroundings): Place {
  let best: Place = { center: pointAt(own, 0.5), width };
  let least = Infinity;
  for (const shift of shifts) {
    for (const position of positions) {
      const point = pointAt(own, position);
      const place = { center: { x: point.x + shift * width, y: point.y }, width };
      if (place.center.x < width / 2 || place.center.x + width / 2 > frame) continue;
      const covered =
        others.filter((span) => isCovered(span, place, position)).length +
        unreadable * captions.filter((caption) => overlap(caption, place)).length;
      if (covered < least) [best, least] = [place, covered];
      if (covered === 0) return best;
    }
  }
  return best;
}

/** At the same position, all lines between two rows are equally far down, and each line moves steadily to one side. */
function isCovered(span: Span, { center, width }: Place, position: number): boolean {
  const speed = (span.to.y - span.from.y) * (1.5 - 3 * position + 3 * position ** 2);
  const reach = captionHeight / 2 / speed;
  const [one, other] = [pointAt(span, position - reach).x, pointAt(span, position + reach).x];
  return Math.min(one, other) <= center.x + width / 2 && Math.max(one, other) >= center.x - width / 2;
}

function overlap(one: Place, other: Place): boolean {
  const apart = Math.abs(one.center.x - other.center.x);
  const above = Math.abs(one.center.y - other.center.y);
  return apart < (one.width + other.width) / 2 && above < captionHeight;
}

/** The curve's control points are at half its height, one below its start and one above its end. */
function pointAt({ from, to }: Span, position: number): Point {
  const across = position ** 2 * (3 - 2 * position);
  const down = 1.5 * position * (1 - position) + position ** 3;
  return { x: from.x + (to.x - from.x) * across, y: from.y + (to.y - from.y) * down };
}
