import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import { callTooLarge, maxCallBytes } from '../../nodes/container/call-size.ts';
import { loadedBytes } from '../journal/payload.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { type Arrival, type RunState, tokensOf } from '../journal/state.ts';

/**
 * Returns the first join by `all` that can start: every incoming edge has an arrival, or nothing active can still
 * reach the join. An edge whose condition did not hold, or whose source failed under `continue`, therefore does not
 * block the join.
 *
 * @param waiting the joins with arrivals
 * @param spend charges for what the search visits: a run may have hundreds of waiting joins, and as many tokens
 */
export function findComplete(
  shape: GraphShape,
  state: RunState,
  {
    waiting,
    incoming,
    spend,
  }: {
    waiting: readonly string[];
    incoming: (node: string) => readonly string[];
    spend: (units: number) => void;
  },
): string | undefined {
  if (waiting.length === 0) return undefined;
  const tokens = tokensOf(state);
  spend(tokens.length);
  return waiting.find((node) => {
    const arrived = new Set(arrivalsAt(state, node).map(({ edge }) => edge));
    const edges = incoming(node);
    spend(arrived.size + edges.length);
    if (edges.every((edge) => arrived.has(edge))) return true;
    const coming = tokens.findIndex((token) => token.node !== node && shape.reaches(token.node, node));
    spend(coming === -1 ? tokens.length : coming + 1);
    return coming === -1;
  });
}

/** Returns the branches that can still reach a join by `any` when another branch starts it. */
export function lateFor(
  shape: GraphShape,
  state: RunState,
  { join, branch }: { join: string; branch: string },
): string[] {
  return tokensOf(state)
    .filter((token) => token.branch !== branch && shape.reaches(token.node, join))
    .map((token) => token.branch);
}

/** Reports whether a join by `any` started before the branch arrived. */
export function isLate(state: RunState, node: string, branch: string): boolean {
  return state.joins.get(node)?.late.has(branch) ?? false;
}

function arrivalsAt(state: RunState, node: string): readonly Arrival[] {
  return state.joins.get(node)?.arrivals ?? [];
}

/** Returns the first arrival of each edge, in the order of the edges. */
export function firstArrivals(state: RunState, node: string, incoming: readonly string[]): Arrival[] {
  const arrivals = arrivalsAt(state, node);
  return incoming.flatMap((id) => arrivals.find(({ edge }) => edge === id) ?? []);
}

/** Returns the joins with arrivals, ordered by their first arrival. */
export function waitingJoins(state: RunState): string[] {
  return [...state.joins].filter(([, { arrivals }]) => arrivals.length > 0).map(([node]) => node);
}

/**
 * Builds the input of a node from its arrivals, with its compose plan if it has one. Otherwise merges the messages.
 *
 * @param meter the budget that a compose plan draws on
 */
export function inputOf(
  graph: LoadedGraph,
  node: string,
  arrivals: readonly Arrival[],
  meter: WorkMeter,
): { input: Uint8Array } | { error: string } {
  if (Object.hasOwn(graph.graph.compose, node)) {
    const outputs = new Map(arrivals.map(({ edge, payload }) => [edge, loadedBytes(payload)]));
    return graph.compose(node, outputs, meter);
  }
  const inputs = arrivals.map(({ payload }) => loadedBytes(payload));
  const total = inputs.reduce((sum, { length }) => sum + length, 0);
  if (total > maxCallBytes) return { error: callTooLarge(total) };
  // Concatenated messages parse as one merged message.
  return { input: inputs.length === 1 && inputs[0] ? inputs[0] : new Uint8Array(Buffer.concat(inputs)) };
}
