import type { Diagnostic } from '../diagnostic.ts';
import type { FlowOutline } from './check-structure.ts';
import type { IdentifiedEdge } from './identify-edges.ts';

/**
 * Reports what a flow of mode `pipeline` cannot have: joins, which wait for one message from each edge, and loops,
 * whose input would never end.
 */
export function checkStreams(document: FlowOutline, edges: readonly IdentifiedEdge[]): Diagnostic[] {
  const looping = nodesInLoops(edges);
  return document.nodes.flatMap(({ id, join }) => {
    const problems: Diagnostic[] = [];
    if (join) {
      problems.push({
        code: 'join_of_streams',
        node: id,
        message: `node "${id}": frames of several edges arrive in turn in a pipeline flow: remove the join`,
      });
    }
    if (looping.has(id)) {
      problems.push({
        code: 'loop_of_streams',
        node: id,
        message: `node "${id}" is part of a loop, whose stream would never end: pipeline flows have no loops`,
      });
    }
    return problems;
  });
}

/**
 * Finds the nodes that reach themselves, in one search (Tarjan's algorithm): nodes that reach each other form a group, and the
 * node that the search visits first completes its group.
 */
function nodesInLoops(edges: readonly IdentifiedEdge[]): ReadonlySet<string> {
  const next = Map.groupBy(edges, ({ from }) => from);
  const numbers = new Map<string, number>();
  /** Visited nodes whose group is not complete, in the order of their visits. */
  const open: string[] = [];
  const isOpen = new Set<string>();
  const looping = new Set<string>();

  /** Returns the least number of the open nodes that this one reaches. A flow has so few nodes that the search may recurse. */
  const visit = (id: string): number => {
    const number = numbers.size;
    numbers.set(id, number);
    open.push(id);
    isOpen.add(id);
    let least = number;
    for (const { to } of next.get(id) ?? []) {
      const known = numbers.get(to);
      if (to === id) looping.add(id);
      else if (known === undefined) least = Math.min(least, visit(to));
      else if (isOpen.has(to)) least = Math.min(least, known);
    }
    if (least < number) return least;
    const group = open.splice(open.lastIndexOf(id));
    for (const each of group) {
      isOpen.delete(each);
      if (group.length > 1) looping.add(each);
    }
    return least;
  };
  for (const id of next.keys()) if (!numbers.has(id)) visit(id);
  return looping;
}
