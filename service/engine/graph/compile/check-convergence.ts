import type { Diagnostic } from '../diagnostic.ts';
import type { FlowOutline } from './check-structure.ts';
import type { IdentifiedEdge } from './identify-edges.ts';

/**
 * Warns about nodes that several branches reach in every run, without a join that waits for them: such a node starts once for
 * each branch. Branches whose edges have conditions may exclude each other, and are not counted.
 */
export function checkConvergence(
  { nodes }: Pick<FlowOutline, 'nodes'>,
  edges: readonly IdentifiedEdge[],
): Diagnostic[] {
  const outgoing = Map.groupBy(edges, ({ from }) => from);
  const incoming = Map.groupBy(edges, ({ to }) => to);
  const joins = new Set(nodes.flatMap(({ id, join }) => (join ? [id] : [])));
  const alone = nodes.filter(({ id }) => !joins.has(id) && (incoming.get(id)?.length ?? 0) > 1);
  if (alone.length === 0) return [];
  const reached = new Map<string, ReadonlySet<string>>();
  const reachedFrom = (start: string): ReadonlySet<string> => {
    const known = reached.get(start);
    if (known) return known;
    const found = new Set([start]);
    // Branches end at a join. Iterating a Set also visits elements added during the iteration.
    for (const id of found) if (!joins.has(id)) for (const { to } of outgoing.get(id) ?? []) found.add(to);
    reached.set(start, found);
    return found;
  };
  const converging = new Set<string>();
  for (const [, leaving] of outgoing) {
    const certain = leaving.filter(({ condition }) => condition === undefined);
    if (certain.length < 2) continue;
    const branches = certain.map(({ to }) => reachedFrom(to));
    for (const { id } of alone) {
      if (branches.filter((branch) => branch.has(id)).length > 1) converging.add(id);
    }
  }
  return alone
    .filter(({ id }) => converging.has(id))
    .map(({ id }) => ({
      code: 'converging_node',
      node: id,
      message: `node "${id}" starts once for each branch that reaches it, and the first result of the flow cancels the other branches: add a join if it waits for them`,
    }));
}
