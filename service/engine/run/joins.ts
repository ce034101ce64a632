import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { GraphShape } from './graph-shape.ts';
import { loadedBytes } from './payload.ts';
import { type Arrival, type RunState, type Token, tokensOf } from './run-state.ts';

/**
 * Whether a join by `all` may start: an arrival of every incoming edge is there, or nothing under way can still get there. So
 * an edge whose condition did not hold, or whose source failed under `continue`, holds nobody up.
 */
export function isComplete(
  shape: GraphShape,
  state: RunState,
  { node, incoming }: { node: string; incoming: readonly string[] },
): boolean {
  const arrived = new Set(arrivalsAt(state, node).map(({ edge }) => edge));
  if (incoming.every((edge) => arrived.has(edge))) return true;
  const mayCome = (token: Token): boolean => token.node !== node && shape.reaches(token.node, node);
  return !tokensOf(state).some(mayCome);
}

/** Branches that are on their way to a join by `any` while another starts it. */
export function lateFor(
  shape: GraphShape,
  state: RunState,
  { join, branch }: { join: string; branch: string },
): string[] {
  return tokensOf(state)
    .filter((token) => token.branch !== branch && shape.reaches(token.node, join))
    .map((token) => token.branch);
}

/** Whether a join by `any` has started while the branch was on its way there. */
export function isLate(state: RunState, node: string, branch: string): boolean {
  return state.joins.get(node)?.late.has(branch) ?? false;
}

export function arrivalsAt(state: RunState, node: string): readonly Arrival[] {
  return state.joins.get(node)?.arrivals ?? [];
}

/** Of each edge the arrival that came first, in the order of the edges. */
export function firstArrivals(state: RunState, node: string, incoming: readonly string[]): Arrival[] {
  const arrivals = arrivalsAt(state, node);
  return incoming.flatMap((id) => arrivals.find(({ edge }) => edge === id) ?? []);
}

/** Joins where something waits, those first where it arrived first. */
export function waitingJoins(state: RunState): string[] {
  return [...state.joins].filter(([, { arrivals }]) => arrivals.length > 0).map(([node]) => node);
}

/** What a node is given from the edges that brought it something: its compose plan decides, else messages merge. */
export function inputOf(
  graph: LoadedGraph,
  node: string,
  arrivals: readonly Arrival[],
): { input: Uint8Array } | { error: string } {
  if (Object.hasOwn(graph.graph.compose, node)) {
    return graph.compose(node, new Map(arrivals.map(({ edge, payload }) => [edge, loadedBytes(payload)])));
  }
  const inputs = arrivals.map(({ payload }) => loadedBytes(payload));
  // Messages on the wire merge by standing one behind the other.
  return { input: inputs.length === 1 && inputs[0] ? inputs[0] : new Uint8Array(Buffer.concat(inputs)) };
}
