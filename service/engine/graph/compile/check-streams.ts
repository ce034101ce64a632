import type { Diagnostic } from '../diagnostic.ts';
import type { FlowOutline } from './check-structure.ts';
import type { IdentifiedEdge } from './identify-edges.ts';
import { reachableNodes } from './reachable-nodes.ts';

/**
 * Checks what a flow of mode `pipeline` cannot have: joins, which wait for one message from each edge, and loops, whose input
 * would never end.
 */
export function checkStreams(document: FlowOutline, edges: readonly IdentifiedEdge[]): Diagnostic[] {
  return document.nodes.flatMap(({ id, join }) => {
    const problems: Diagnostic[] = [];
    if (join) {
      problems.push({
        code: 'join_of_streams',
        node: id,
        message: `node "${id}": frames of several edges arrive in turn in a pipeline flow: remove the join`,
      });
    }
    const follows = edges.filter(({ from }) => from === id).map(({ to }) => to);
    if (follows.some((next) => reachableNodes(next, edges, 'forward').has(id))) {
      problems.push({
        code: 'loop_of_streams',
        node: id,
        message: `node "${id}" is part of a loop, whose stream would never end: pipeline flows have no loops`,
      });
    }
    return problems;
  });
}
