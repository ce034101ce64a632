interface Edge {
  from: string;
  to: string;
}

/**
 * Returns the nodes that `start` reaches along the edges, or with `backward` the nodes that reach it. Includes
 * `start`.
 */
export function reachableNodes(
  start: string,
  edges: readonly Edge[],
  direction: 'forward' | 'backward',
): ReadonlySet<string> {
  const [here, there] = direction === 'forward' ? (['from', 'to'] as const) : (['to', 'from'] as const);
  const next = Map.groupBy(edges, (edge) => edge[here]);
  const reached = new Set([start]);
  // Iterating a Set also visits elements added during the iteration.
  for (const id of reached) for (const edge of next.get(id) ?? []) reached.add(edge[there]);
  return reached;
}
