import type { FlowOutline } from './check-structure.ts';
import type { Findings } from '../diagnostic.ts';
import type { IdentifiedEdge } from './identify-edges.ts';

/** Checks joins and compose plans against the incoming edges of their nodes. */
export function checkJoins(document: FlowOutline, edges: readonly IdentifiedEdge[]): Findings {
  const findings: Findings = { problems: [], warnings: [] };
  const byTarget = Map.groupBy(edges, ({ to }) => to);
  for (const { id, join } of document.nodes) {
    const incoming = byTarget.get(id) ?? [];
    if (!join) {
      if (Object.hasOwn(document.compose, id) && incoming.length > 1) {
        findings.problems.push({
          code: 'compose_without_join',
          node: id,
          message: `node "${id}": its compose plan reads ${incoming.length} edges: add a join that waits for them`,
        });
      }
      continue;
    }
    if (id === document.entry) {
      findings.problems.push({
        code: 'join_at_entry',
        node: id,
        message: `node "${id}" is the entry, which starts with the input of the flow: remove its join`,
      });
    }
    if (incoming.length < 2) {
      findings.warnings.push({
        code: 'join_without_branches',
        node: id,
        message: `node "${id}" has a join but ${incoming.length === 1 ? 'only one incoming edge' : 'no incoming edges'}: remove the join or add the missing edges`,
      });
    }
  }
  return findings;
}
