import type { GraphDocument } from '../../../../specs/operations/graph-shapes.ts';
import type { SecretStore } from '../../../access/secrets/secret-store.ts';
import type { Clock } from '../../../clock.ts';
import type { Json } from '../../../errors/api-error.ts';
import { compileFailed } from '../../../errors/graph-errors.ts';
import type { Database, Tx } from '../../../store/database.ts';
import type { NodeTargets } from '../../../nodes/call/target.ts';
import { findGraph, type Graph, insertGraph } from '../../../store/graphs.ts';
import { holdVersions } from '../../../store/version-deletion.ts';
import type { CelCompiler } from '../../cel/cel-compiler.ts';
import { canonicalDocument, graphIdOf } from './canonical-document.ts';
import { checkConvergence } from './check-convergence.ts';
import { checkEdges } from './check-edges.ts';
import { checkJoins } from './check-joins.ts';
import { checkPlacements, checkSecrets, checkSettings } from './check-placements.ts';
import { checkSizes } from './check-sizes.ts';
import { checkStreams } from './check-streams.ts';
import { checkStructure } from './check-structure.ts';
import { compileEdge } from './compile-edge.ts';
import { compileNodes } from './compile-nodes.ts';
import type { CompiledEdge, CompiledGraph, CompiledNode } from '../compiled-graph.ts';
import type { Diagnostic, Findings } from '../diagnostic.ts';
import { identifyEdges } from './identify-edges.ts';
import { resolvePlacements } from './resolve-placements.ts';
import { warnOfNoEffect } from './warn-of-no-effect.ts';
import { warnOfRecipients } from './warn-of-recipients.ts';
import { warnOfUndeployed } from './warn-of-undeployed.ts';
import type { TypeRegistries } from '../../../nodes/type-registries.ts';

/** Dependencies of the compiler, which calls no containers. */
export interface CompileOptions {
  db: Database;
  clock: Clock;
  types: TypeRegistries;
  cel: CelCompiler;
  /** Provides the configured secrets. A required secret that is not configured is a problem. */
  secrets: Pick<SecretStore, 'names'>;
  /** Finds the containers of nodes. A node without a container is only a warning. */
  targets: Pick<NodeTargets, 'find'>;
}

/**
 * Compiles a flow and stores it. Compiling the same document again returns the same graph. Its warnings include current ones that
 * are not stored: nodes that are not deployed.
 *
 * @throws ApiError 400 `compile_failed` with every diagnostic
 */
export async function compileGraph(
  options: CompileOptions,
  tenantId: string,
  document: GraphDocument,
): Promise<{ graph: Graph; created: boolean }> {
  const { knex } = options.db;
  const { canonical, compiled } = await compile(options, tenantId, document);
  const graph: Graph = {
    tenantId,
    id: compiled.graphId,
    artifactId: compiled.artifactId,
    name: compiled.name,
    description: compiled.description,
    mode: compiled.mode,
    inputMessage: compiled.inputMessage,
    outputMessage: compiled.outputMessage,
    mockedNodes: compiled.mockedNodes,
    requiredSecrets: compiled.requiredSecrets,
    warnings: compiled.warnings,
    document: canonical,
    compiled: compiled as unknown as Json,
    createdAt: options.clock.now(),
  };
  const created = await options.db.transaction((tx) => store(tx, graph, compiled.nodes));
  const stored = created ? graph : ((await findGraph(knex, tenantId, graph.id)) ?? graph);
  const undeployed = await warnOfUndeployed(options.targets, tenantId, compiled.nodes);
  return { graph: { ...stored, warnings: [...stored.warnings, ...undeployed] }, created };
}

/**
 * Stores a compiled flow, unless a package version of its nodes was deleted since they were resolved.
 *
 * @returns false if the graph is already stored
 */
async function store(tx: Tx, graph: Graph, nodes: readonly CompiledNode[]): Promise<boolean> {
  const byVersion = Map.groupBy(nodes, ({ versionId }) => versionId);
  const problems: Diagnostic[] = [];
  const used = [...byVersion].map(([id, [first]]) => ({ id, first, tenantId: first?.ownerTenantId ?? '' }));
  const held = await holdVersions(tx, used);
  for (const { id, first } of used.sort((one, other) => (one.id < other.id ? -1 : 1))) {
    if (!first || held.has(id)) continue;
    const { id: node, packageName, version } = first;
    const message = `node "${node}": ${packageName} has no version "${version}"`;
    problems.push({ code: 'unknown_version', node, message });
  }
  if (problems.length > 0) throw compileFailed(problems);
  return insertGraph(tx, graph, [...byVersion.keys()]);
}

async function compile(
  { db: { knex: tx }, types, cel, secrets }: CompileOptions,
  tenantId: string,
  document: GraphDocument,
): Promise<{ canonical: Json; compiled: CompiledGraph }> {
  const edges = identifyEdges(document.edges);
  const oversized = checkSizes(document);
  if (oversized.length > 0) throw compileFailed(oversized);
  const structure = merge(checkStructure(document, edges), checkJoins(document, edges));
  const { placements, problems: unresolved } = await resolvePlacements(tx, tenantId, document.nodes);
  const problems = [
    ...structure.problems,
    ...(document.mode === 'pipeline' ? checkStreams(document, edges) : []),
    ...checkSettings(document.nodes),
    ...unresolved,
    ...checkPlacements(document, placements),
    ...checkSecrets(placements, await secrets.names(tenantId)),
  ];
  const nodes = await compileNodes(tx, types, placements, problems);
  const compiledEdges = edges.map(compileEdge);
  const checked = await checkEdges({
    tx,
    types,
    cel,
    nodes,
    edges: compiledEdges,
    compose: document.compose,
  });
  problems.push(...checked.problems);
  if (problems.length > 0) throw compileFailed(problems);

  const canonical = canonicalDocument(document, placements, edges);
  const graphId = graphIdOf(tenantId, canonical);
  const recipients = await warnOfRecipients(tx, tenantId, nodes);
  const converging = document.mode === 'unary' ? checkConvergence(document, edges) : [];
  const unused = warnOfNoEffect(document, edges);
  const warnings = [...structure.warnings, ...unused, ...converging, ...checked.warnings, ...recipients];
  return { canonical, compiled: assemble(graphId, document, nodes, compiledEdges, warnings) };
}

function assemble(
  graphId: string,
  document: GraphDocument,
  nodes: CompiledNode[],
  edges: CompiledEdge[],
  warnings: Diagnostic[],
): CompiledGraph {
  const { entry = '', terminal = '' } = document;
  const messageOf = (id: string, port: 'inputMessage' | 'outputMessage'): string =>
    nodes.find((node) => node.id === id)?.[port] ?? '';
  return {
    graphId,
    artifactId: graphId,
    name: document.name,
    description: document.description,
    mode: document.mode,
    entry,
    terminal,
    inputMessage: messageOf(entry, 'inputMessage'),
    outputMessage: messageOf(terminal, 'outputMessage'),
    nodes,
    edges,
    compose: document.compose,
    configProfiles: document.config_profiles,
    mutationEnabled: document.mutation_enabled,
    mockedNodes: nodes.filter((node) => node.mock).map((node) => node.id),
    requiredSecrets: [...new Set(nodes.flatMap((node) => node.requiredSecrets))].sort(),
    warnings,
  };
}

function merge(one: Findings, other: Findings): Findings {
  return {
    problems: [...one.problems, ...other.problems],
    warnings: [...one.warnings, ...other.warnings],
  };
}
