import { limits } from '../../../specs/limits.ts';
import { graphFragment } from '../../../specs/operations/graph-shapes.ts';
import type { SecretStore } from '../../access/secrets/secret-store.ts';
import type { Database } from '../../store/database.ts';
import type { CelCompiler } from '../cel/cel-compiler.ts';
import { checkJoins } from './check-joins.ts';
import { checkPlacements, checkSecrets, checkSettings } from './check-placements.ts';
import { checkSizes } from './check-sizes.ts';
import { checkStructure } from './check-structure.ts';
import { compiledEdge, compileNodes } from './compile-nodes.ts';
import type { CompiledGraph, CompiledNode, GraphFragment } from './compiled-graph.ts';
import type { Diagnostic } from './diagnostic.ts';
import { identifyEdges, type IdentifiedEdge } from './edges.ts';
import { growGraph } from './grow-graph.ts';
import { loadNodes } from './load-nodes.ts';
import type { LoadedGraph } from './loaded-graph.ts';
import { resolvePlacements } from './resolve-placements.ts';
import type { VersionTypes } from './version-types.ts';

/** Lets graphs grow while they run: a node adds nodes and edges to the graph of its own run (SPEC.md, GRAPH_MUTATED). */
export interface GraphGrowth {
  /**
   * Compiles a fragment against the running graph, by the rules and with the texts of compiling a flow: what it names is pinned,
   * its new edges may lead from and to any node of either.
   *
   * @param fragmentJson `{nodes, edges}` in the form of the compile request
   * @returns what is wrong with it, as values: the step that brought it fails
   */
  compile(tenantId: string, running: LoadedGraph, fragmentJson: string): Promise<CompiledFragment>;
  /** Puts what was compiled before on the graph again, in that order. */
  grow(base: LoadedGraph, fragments: readonly GraphFragment[]): Promise<LoadedGraph>;
}

export type CompiledFragment =
  { ok: true; fragment: GraphFragment; grown: LoadedGraph } | { ok: false; detail: string };

export interface GraphGrowthOptions {
  db: Database;
  types: VersionTypes;
  cel: CelCompiler;
  secrets: Pick<SecretStore, 'names'>;
}

/** Problems that a failure repeats. */
const toldProblems = 10;

export function createGraphGrowth({ db, types, cel, secrets }: GraphGrowthOptions): GraphGrowth {
  const { knex: tx } = db;

  const grow = async (base: LoadedGraph, fragment: GraphFragment): ReturnType<typeof growGraph> =>
    growGraph(cel, base, fragment, await loadNodes(tx, types, fragment.nodes));

  return {
    compile: async (tenantId, running, fragmentJson) => {
      const read = readFragment(fragmentJson);
      if ('detail' in read) return { ok: false, detail: read.detail };
      const { graph } = running;
      const given = new Set(graph.edges.map(({ id }) => id));
      const all = identifyEdges([...graph.edges, ...read.edges]);
      // Of an id that is taken the first is the graph's own: what comes behind is the fragment's.
      const edges = all.slice(graph.edges.length);
      const oversized = checkSizes({ ...graph, nodes: [...graph.nodes, ...read.nodes], edges: all });
      if (oversized.length > 0) return refused(oversized);

      const outline = outlineOf(graph, read.nodes, all);
      const { placements, problems: unresolved } = await resolvePlacements(tx, tenantId, read.nodes);
      const problems: Diagnostic[] = [
        ...checkStructure(outline, all).problems,
        ...checkJoins(outline, all).problems,
        ...checkNoMocks(read.nodes),
        ...checkSettings(read.nodes),
        ...unresolved,
        ...checkPlacements(graph, placements),
        ...checkSecrets(placements, await secrets.names(tenantId)),
      ];
      const nodes = await compileNodes(tx, types, placements, problems);
      // Edges are linked between nodes that are there: a wrong end is told by itself.
      const there = new Set([...graph.nodes, ...nodes].map(({ id }) => id));
      const linkable = edges.filter(({ id, from, to }) => there.has(from) && there.has(to) && !given.has(id));
      const fragment = { nodes, edges: linkable.map(compiledEdge) };
      const { grown, problems: unlinked } = await grow(running, fragment);
      problems.push(...unlinked);
      return problems.length > 0 ? refused(problems) : { ok: true, fragment, grown };
    },
    grow: async (base, fragments) => {
      let graph = base;
      for (const fragment of fragments) graph = (await grow(graph, fragment)).grown;
      return graph;
    },
  };
}

type Fragment = ReturnType<(typeof graphFragment)['parse']>;

function readFragment(text: string): Fragment | { detail: string } {
  if (Buffer.byteLength(text) > limits.mutationBytes) {
    return { detail: `it has more than ${limits.mutationBytes} bytes: send it in parts` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { detail: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = graphFragment.safeParse(value);
  if (parsed.success) return parsed.data;
  return refused(
    parsed.error.issues.map(({ path, message }) => ({
      code: 'invalid_fragment',
      message: [path.join('.'), message].filter(Boolean).join(': '),
    })),
  );
}

/** The grown graph as the checks of a document read it. */
function outlineOf(
  { entry, terminal, nodes, compose }: CompiledGraph,
  added: Fragment['nodes'],
  edges: readonly IdentifiedEdge[],
): Parameters<typeof checkStructure>[0] {
  return {
    entry,
    terminal,
    nodes: [...nodes.map(({ id, join }: CompiledNode) => ({ id, join })), ...added],
    edges,
    compose,
    mutation_enabled: true,
  };
}

/** An invocation's answer names the nodes that fixtures answer for, before the run has grown any. */
function checkNoMocks(nodes: Fragment['nodes']): Diagnostic[] {
  return nodes
    .filter(({ mock }) => mock !== undefined)
    .map(({ id }) => ({
      code: 'mock_in_mutation',
      node: id,
      message: `node "${id}": a mutation cannot bring mocks: put the fixture into the flow, or let the node run`,
    }));
}

function refused(problems: readonly Diagnostic[]): { ok: false; detail: string } {
  const told = problems.slice(0, toldProblems).map(({ message }) => message);
  if (problems.length > told.length) told.push(`and ${problems.length - told.length} more`);
  return { ok: false, detail: told.join('; ') };
}
