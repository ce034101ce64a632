import { loopTurns } from '../../work/turn-budget.ts';
import type { GraphMutations } from '../graph/mutation/graph-mutations.ts';
import type { GraphFragment } from '../graph/compiled-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { type GraphShape, shapeOf } from '../journal/graph-shape.ts';
import { mutationFailed } from './run-texts.ts';

/** A fragment that a step sent, and the graph that includes it. */
export interface Mutation {
  fragment: GraphFragment;
  graph: LoadedGraph;
  shape: GraphShape;
}

/** The graph of one run. Its nodes may extend it with mutations. */
export class RunGraph {
  readonly #compiler: Pick<GraphMutations, 'compile'>;
  readonly #tenantId: string;
  #current: LoadedGraph;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    { mutations, tenantId }: { mutations: Pick<GraphMutations, 'compile'>; tenantId: string },
    loaded: LoadedGraph,
  ) {
    this.#compiler = mutations;
    this.#tenantId = tenantId;
    this.#current = loaded;
  }

  get current(): LoadedGraph {
    return this.#current;
  }

  /**
   * Compiles the fragments that a step sent, unless there is a problem with them, and passes them to `take`. Steps that end in the
   * meantime wait, so that each fragment is compiled against the graph that it extends. Rejects if the database fails.
   *
   * @param take receives the mutations in order, or the message that the step fails with
   */
  mutate(
    node: string,
    fragments: readonly string[] | { problem: string },
    take: (mutated: readonly Mutation[] | { error: string }) => void,
  ): Promise<void> {
    const applied = this.#last.then(async () => {
      const mutated = await this.#compile(node, fragments);
      if (!('error' in mutated)) this.#current = mutated.at(-1)?.graph ?? this.#current;
      take(mutated);
    });
    this.#last = applied.catch(() => undefined);
    return applied;
  }

  async #compile(
    node: string,
    fragments: readonly string[] | { problem: string },
  ): Promise<readonly Mutation[] | { error: string }> {
    if ('problem' in fragments) return { error: mutationFailed(node, fragments.problem) };
    const mutations: Mutation[] = [];
    let running = this.#current;
    for (const text of fragments) {
      // Each fragment is checked together with the whole graph.
      await loopTurns.yieldIfSpent();
      const compiled = await this.#compiler.compile(this.#tenantId, running, text);
      if (!compiled.ok) return { error: mutationFailed(node, compiled.detail) };
      running = compiled.graph;
      mutations.push({ fragment: compiled.fragment, graph: running, shape: shapeOf(running) });
    }
    return mutations;
  }
}
