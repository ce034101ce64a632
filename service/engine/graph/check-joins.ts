import type { FlowOutline } from './check-structure.ts';
import type { Findings } from './diagnostic.ts';
import type { IdentifiedEdge } from './edges.ts';

/** Holds joins and compose plans to the edges that feed them. */
export function checkJoins(document: FlowOutline, edges: readonly IdentifiedEdge[]): Findings {
  const findings: Findings = { problems: [], warnings: [] };
  for (const { id, join } of document.nodes) {
    const incoming = edges.filter((edge) => edge.to === id);
    if (!join) {
      if (document.compose[id] && incoming.length > 1) {
        findings.problems.push({
          code: 'compose_without_join',
          node: id,
          message: `node "${id}": its compose plan reads ${incoming.length} edges, so it has to wait for them: give it a join`,
        });
      }
      continue;
    }
    if (id === document.entry) {
      findings.problems.push({
        code: 'join_at_entry',
        node: id,
        message: `node "${id}" is the entry and starts with the flow's input: it cannot wait for edges by a join`,
      });
    }
    if (incoming.length < 2) {
      findings.warnings.push({
        code: 'join_without_branches',
        node: id,
        message: `node "${id}" has a join and ${incoming.length === 1 ? 'one incoming edge' : 'no incoming edges'}: there is nothing to wait for`,
      });
    }
  }
  return findings;
}
