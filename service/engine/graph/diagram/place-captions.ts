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
 * Candidate positions of a caption on its line, from the start (0) to the end (1), best first. Lines are farthest
 * apart at their ends.
 */
const positions = [0.5, 0.65, 0.8, 0.35, 0.2];

/** Candidate sideways shifts of a caption, as fractions of its width. The line still passes through the caption. */
const shifts = [0, -0.2, 0.2, -0.35, 0.35];

/**
 * Maximum number of lines between two rows that captions avoid. Beyond it, captions avoid only each other, because
 * nothing is readable there and the search would be slow.
 */
const maxLines = 200;

/** Penalty for covering another caption, in covered lines. */
const unreadable = 10;

export const captionHeight = 18;

/**
 * Places each caption on its line where it covers as few other lines and captions as possible, so that readers match
 * each condition to its own edge.
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
  const reached = new Map<number, readonly Line[]>();
  const placed = new Map<string, Place>();
  // Captions of other rows are too far away to overlap.
  const captionsOf = new Map<number, Place[]>();
  const linesOf = (y: number): readonly Line[] => {
    const row = rows.get(y) ?? [];
    const known =
      reached.get(y) ??
      (row.length > maxLines ? [] : row.map((span) => ({ span, reaches: reachesOf(span) })));
    reached.set(y, known);
    return known;
  };
  for (const [edge, width] of widths) {
    const [own] = lines.get(edge) ?? [];
    if (!own) continue;
    const captions = captionsOf.get(own.from.y) ?? [];
    captionsOf.set(own.from.y, captions);
    const place = bestPlace(own, { width, frame, lines: linesOf(own.from.y), captions });
    captions.push(place);
    placed.set(edge, place);
  }
  return new Map([...placed].map(([edge, { center }]) => [edge, center]));
}

interface Line {
  span: Span;
  reaches: readonly Reach[];
}

interface Surroundings {
  width: number;
  frame: number;
  /** All lines between the two rows, the edge's own included; none if there are too many. */
  lines: readonly Line[];
  captions: readonly Place[];
}

function bestPlace(own: Span, { width, frame, lines, captions }: Surroundings): Place {
  let best: Place = { center: pointAt(own, 0.5), width };
  let least = Infinity;
  for (const shift of shifts) {
    for (const [index, position] of positions.entries()) {
      const point = pointAt(own, position);
      const place = { center: { x: point.x + shift * width, y: point.y }, width };
      if (place.center.x < width / 2 || place.center.x + width / 2 > frame) continue;
      // Stop counting at the best result so far: between crowded rows, most places exceed it after a few captions.
      let covered = 0;
      for (const caption of captions) {
        if (covered >= least) break;
        if (overlap(caption, place)) covered += unreadable;
      }
      for (const { span, reaches } of lines) {
        if (covered >= least) break;
        const reach = reaches[index];
        if (reach && span !== own && isCovered(reach, place)) covered += 1;
      }
      if (covered < least) [best, least] = [place, covered];
      if (covered === 0) return best;
    }
  }
  return best;
}

function isCovered(reach: Reach, { center, width }: Place): boolean {
  return reach.left <= center.x + width / 2 && reach.right >= center.x - width / 2;
}

/** The horizontal extent of a line over the height of a caption. */
interface Reach {
  left: number;
  right: number;
}

/**
 * Returns the reach of a line at each position. At the same position, all lines between two rows are at the same
 * height, and each line moves steadily to one side.
 */
function reachesOf(span: Span): Reach[] {
  return positions.map((position) => {
    const speed = (span.to.y - span.from.y) * (1.5 - 3 * position + 3 * position ** 2);
    const reach = captionHeight / 2 / speed;
    const [one, other] = [acrossAt(span, position - reach), acrossAt(span, position + reach)];
    return { left: Math.min(one, other), right: Math.max(one, other) };
  });
}

function overlap(one: Place, other: Place): boolean {
  const apart = Math.abs(one.center.x - other.center.x);
  const above = Math.abs(one.center.y - other.center.y);
  return apart < (one.width + other.width) / 2 && above < captionHeight;
}

/** The curve's control points are at half its height, one below its start and one above its end. */
function pointAt(span: Span, position: number): Point {
  const { from, to } = span;
  const down = 1.5 * position * (1 - position) + position ** 3;
  return { x: acrossAt(span, position), y: from.y + (to.y - from.y) * down };
}

function acrossAt({ from, to }: Span, position: number): number {
  return from.x + (to.x - from.x) * (position ** 2 * (3 - 2 * position));
}
