import type { SecretStore } from '../../../access/secrets/secret-store.ts';
import type { Database } from '../../../store/database.ts';
import type { CelCompiler } from '../../cel/cel-compiler.ts';
import type { GraphFragment } from '../compiled-graph.ts';
import { loadNodes } from '../load/load-nodes.ts';
import type { LoadedGraph } from '../loaded-graph.ts';
import type { TypeRegistries } from '../../../nodes/type-registries.ts';
import { type AppliedMutation, applyMutation } from './apply-mutation.ts';
import { type CompiledMutation, compileMutation } from './compile-mutation.ts';

/** Runtime graph mutation: a node adds nodes and edges to the graph of its own run. */
export interface GraphMutations {
  /**
   * Compiles a mutation against the running graph, with the rules and error texts of compiling a flow. References are pinned. New
   * edges may connect any nodes of the graph and the mutation.
   *
   * @param mutationJson `{nodes, edges}` in the form of the compile request
   * @returns the mutation with the mutated graph, or the text that the step fails with
   */
  compile(tenantId: string, running: LoadedGraph, mutationJson: string): Promise<CompiledMutation>;
  /** Replays mutations that compiled earlier, in order. */
  apply(base: LoadedGraph, fragments: readonly GraphFragment[]): Promise<LoadedGraph>;
}

interface GraphMutationsOptions {
  db: Database;
  types: TypeRegistries;
  cel: CelCompiler;
  secrets: Pick<SecretStore, 'names'>;
}

/**
 * Keeps no state about runs: the caller passes the current graph, and compiles the mutations of a run one after the
 * other.
 */
export function createGraphMutations({ db, types, cel, secrets }: GraphMutationsOptions): GraphMutations {
  const { knex: tx } = db;

  const apply = async (base: LoadedGraph, fragment: GraphFragment): Promise<AppliedMutation> =>
    applyMutation(cel, base, fragment, await loadNodes(tx, types, fragment.nodes));

  return {
    compile: (tenantId, running, mutationJson) =>
      compileMutation({ tx, types, secrets, apply }, tenantId, running, mutationJson),
    apply: async (base, fragments) => {
      if (fragments.length === 0) return base;
      // Applies all fragments at once, because each call visits the whole graph. Mutations only add, so an edge
      // depends only on earlier mutations, and later ones do not change it.
      const all = {
        nodes: fragments.flatMap(({ nodes }) => nodes),
        edges: fragments.flatMap(({ edges }) => edges),
      };
      return (await apply(base, all)).graph;
    },
  };
}
