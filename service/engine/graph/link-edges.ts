import type { Tx } from '../../store/database.ts';
import type { CelCompiler } from '../cel/cel-compiler.ts';
import type { CompiledEdge, CompiledNode, ComposePlan } from './compiled-graph.ts';
import type { Diagnostic, Findings } from './diagnostic.ts';
import { linkCompose } from './link-compose.ts';
import { linkEdge } from './link-edge.ts';
import { type NodeTypes, nodeTypes } from './node-types.ts';
import { takeTurns } from './turns.ts';
import type { VersionTypes } from './version-types.ts';

export interface EdgesToLink {
  tx: Tx;
  types: VersionTypes;
  cel: CelCompiler;
  /** Those that have message types; edges at others are left out, their node has a problem already. */
  nodes: readonly CompiledNode[];
  edges: readonly CompiledEdge[];
  compose: Readonly<Record<string, ComposePlan>>;
}

/** Checks every condition, adapter and compose plan against the messages at its ends. */
export async function linkEdges({ tx, types, cel, nodes, edges, compose }: EdgesToLink): Promise<Findings> {
  const findings: Findings = { problems: [], warnings: [] };
  const typesOf = new Map<string, NodeTypes>();
  for (const node of nodes) {
    const ends = [node.inputMessage, node.outputMessage];
    const registry = await types.registry(tx, node.ownerTenantId, node.versionId, ends);
    typesOf.set(node.id, nodeTypes(node, registry));
  }
  const report = (problems: readonly Diagnostic[]): void => void findings.problems.push(...problems);
  const turn = takeTurns();
  for (const edge of edges) {
    await turn();
    const [source, target] = [typesOf.get(edge.from), typesOf.get(edge.to)];
    if (!source || !target) continue;
    const linked = linkEdge(cel, edge, { source, target, composed: Object.hasOwn(compose, edge.to) });
    if (linked.ok) findings.warnings.push(...linked.warnings);
    else report(linked.problems);
  }
  for (const [nodeId, plan] of Object.entries(compose)) {
    await turn();
    const target = typesOf.get(nodeId);
    const incoming = edges.filter((edge) => edge.to === nodeId);
    // A source without types has a problem already; what the plan reads of it would only be another one.
    if (!target || incoming.some((edge) => !typesOf.has(edge.from))) continue;
    const sources = incoming.map((edge) => ({ edge, types: typesOf.get(edge.from) ?? target }));
    const linked = linkCompose(cel, nodeId, plan, { target, sources });
    if (!linked.ok) report(linked.problems);
  }
  return findings;
}
