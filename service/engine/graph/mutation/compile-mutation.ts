import { parseExactJson } from '../../../../specs/exact-json.ts';
import { problemText } from '../../../../specs/operations/problem-text.ts';
import { graphFragment } from '../../../../specs/operations/graph-shapes.ts';
import type { SecretStore } from '../../../access/secrets/secret-store.ts';
import { thrownMessage } from '../../../errors/thrown-message.ts';
import type { Tx } from '../../../store/database.ts';
import { checkJoins } from '../compile/check-joins.ts';
import { checkPlacements, checkSecrets, checkSettings } from '../compile/check-placements.ts';
import { checkSizes } from '../compile/check-sizes.ts';
import { checkStructure, type FlowOutline } from '../compile/check-structure.ts';
import { compileEdge } from '../compile/compile-edge.ts';
import { compileNodes } from '../compile/compile-nodes.ts';
import { identifyEdges, type IdentifiedEdge } from '../compile/identify-edges.ts';
import { resolvePlacements } from '../compile/resolve-placements.ts';
import type { CompiledGraph, CompiledNode, GraphFragment } from '../compiled-graph.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { LoadedGraph } from '../loaded-graph.ts';
import type { TypeRegistries } from '../../../nodes/type-registries.ts';
import type { AppliedMutation } from './apply-mutation.ts';

/** A mutation that compiles, with the graph that includes it, or the text of the first diagnostics. */
export type CompiledMutation =
  { ok: true; fragment: GraphFragment; graph: LoadedGraph } | { ok: false; detail: string };

interface CompileMutationOptions {
  tx: Tx;
  types: TypeRegistries;
  secrets: Pick<SecretStore, 'names'>;
  apply: (base: LoadedGraph, fragment: GraphFragment) => Promise<AppliedMutation>;
}

/** Maximum number of diagnostics in the text of a failure. */
const reportedDiagnostics = 10;

/** Compiles a mutation against a running graph and applies it. `GraphMutations` documents the contract. */
export async function compileMutation(
  { tx, types, secrets, apply }: CompileMutationOptions,
  tenantId: string,
  running: LoadedGraph,
  mutationJson: string,
): Promise<CompiledMutation> {
  const parsed = parseMutation(mutationJson);
  if ('detail' in parsed) return { ok: false, detail: parsed.detail };
  const { graph } = running;
  const existingIds = new Set(graph.edges.map(({ id }) => id));
  const allEdges = identifyEdges([...graph.edges, ...parsed.edges]);
  const addedEdges = allEdges.slice(graph.edges.length);
  const oversized = checkSizes({ ...graph, nodes: [...graph.nodes, ...parsed.nodes], edges: allEdges });
  if (oversized.length > 0) return rejected(oversized);

  const outline = outlineOf(graph, parsed.nodes, allEdges);
  const { placements, problems: unresolved } = await resolvePlacements(tx, tenantId, parsed.nodes);
  const problems: Diagnostic[] = [
    ...checkStructure(outline, allEdges).problems,
    ...checkJoins(outline, allEdges).problems,
    ...checkNoMocks(parsed.nodes),
    ...checkSettings(parsed.nodes),
    ...unresolved,
    ...checkPlacements(graph, placements),
    ...checkSecrets(placements, await secrets.names(tenantId)),
  ];
  const nodes = await compileNodes(tx, types, placements, problems);
  // Edges with an unknown end or a duplicate id already have a diagnostic. The others are linked to find further diagnostics.
  const nodeIds = new Set([...graph.nodes, ...nodes].map(({ id }) => id));
  const linkable = addedEdges.filter(
    ({ id, from, to }) => nodeIds.has(from) && nodeIds.has(to) && !existingIds.has(id),
  );
  const fragment = { nodes, edges: linkable.map(compileEdge) };
  const applied = await apply(running, fragment);
  problems.push(...applied.problems);
  return problems.length > 0 ? rejected(problems) : { ok: true, fragment, graph: applied.graph };
}

type MutationDocument = ReturnType<(typeof graphFragment)['parse']>;

function parseMutation(text: string): MutationDocument | { detail: string } {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (error) {
    return {
      detail: `the mutation is not valid JSON: ${thrownMessage(error)}`,
    };
  }
  const parsed = graphFragment.safeParse(value, { error: problemText });
  if (parsed.success) return parsed.data;
  return rejected(
    parsed.error.issues.map(({ path, message }) => ({
      code: 'invalid_fragment',
      message: [path.join('.'), message].filter(Boolean).join(': '),
    })),
  );
}

/** The mutated graph in the form that the checks of flow documents accept. */
function outlineOf(
  { entry, terminal, nodes, compose }: CompiledGraph,
  added: MutationDocument['nodes'],
  edges: readonly IdentifiedEdge[],
): FlowOutline {
  return {
    entry,
    terminal,
    nodes: [...nodes.map(({ id, join }: CompiledNode) => ({ id, join })), ...added],
    edges,
    compose,
    mutation_enabled: true,
  };
}

/** The response to an invocation lists the mocked nodes before the run can mutate its graph, so mutations cannot add any. */
function checkNoMocks(nodes: MutationDocument['nodes']): Diagnostic[] {
  return nodes
    .filter(({ mock }) => mock !== undefined)
    .map(({ id }) => ({
      code: 'mock_in_mutation',
      node: id,
      message: `node "${id}": a mutation cannot add a mocked node: remove the mock, or place the node in the flow`,
    }));
}

function rejected(problems: readonly Diagnostic[]): { ok: false; detail: string } {
  const texts = problems.slice(0, reportedDiagnostics).map(({ message }) => message);
  if (problems.length > texts.length) texts.push(`and ${problems.length - texts.length} more`);
  return { ok: false, detail: texts.join('; ') };
}
