import type { Tx } from '../../../store/database.ts';
import type { CelCompiler } from '../../cel/cel-compiler.ts';
import type { CompiledEdge, CompiledNode, ComposePlan } from '../compiled-graph.ts';
import type { Findings } from '../diagnostic.ts';
import { linkCompose } from '../link/link-compose.ts';
import { linkEdge } from '../link/link-edge.ts';
import { parallelEdges } from './parallel-edges.ts';
import { type NodeTypes, nodeTypes } from '../node-types.ts';
import { inTurns, loopTurns } from '../../../work/turn-budget.ts';
import type { TypeRegistries } from '../../../nodes/type-registries.ts';

interface EdgesToCheck {
  tx: Tx;
  types: TypeRegistries;
  cel: CelCompiler;
  /** The nodes with message types. Every other node already has a diagnostic, so its edges are skipped. */
  nodes: readonly CompiledNode[];
  edges: readonly CompiledEdge[];
  compose: Readonly<Record<string, ComposePlan>>;
}

/** Type-checks every condition, adapter and compose plan against the messages of the nodes that it connects. */
export async function checkEdges({ tx, types, cel, nodes, edges, compose }: EdgesToCheck): Promise<Findings> {
  const findings: Findings = { problems: [], warnings: [] };
  const typesOf = new Map<string, NodeTypes>();
  for (const node of nodes) {
    const messages = [node.inputMessage, node.outputMessage];
    const registry = await types.registry(tx, node.ownerTenantId, node.versionId, messages);
    typesOf.set(node.id, nodeTypes(node, registry));
  }
  const named = parallelEdges(edges);
  for (const edge of edges) {
    await loopTurns.yieldIfSpent();
    const [source, target] = [typesOf.get(edge.from), typesOf.get(edge.to)];
    if (!source || !target) continue;
    const ends = { source, target, composed: Object.hasOwn(compose, edge.to) };
    const linked = await inTurns(linkEdge(cel, edge, ends));
    if (linked.ok) findings.warnings.push(...linked.warnings.map(named));
    else findings.problems.push(...linked.problems.map(named));
  }
  for (const [nodeId, plan] of Object.entries(compose)) {
    await loopTurns.yieldIfSpent();
    const target = typesOf.get(nodeId);
    const incoming = edges.filter((edge) => edge.to === nodeId);
    // A source without types already has a diagnostic. Checking the plan would only repeat it.
    if (!target || incoming.some((edge) => !typesOf.has(edge.from))) continue;
    const sources = incoming.map((edge) => ({ edge, types: typesOf.get(edge.from) ?? target }));
    const linked = await inTurns(linkCompose(cel, nodeId, plan, { target, sources }));
    if (!linked.ok) findings.problems.push(...linked.problems);
  }
  return findings;
}
