import { limits } from '../../../../specs/limits.ts';
import type { CompiledEdge, ComposePlan } from '../compiled-graph.ts';
import type { Diagnostic } from '../diagnostic.ts';

/** The parts of a flow that have size limits. */
interface FlowSizes {
  nodes: readonly object[];
  edges: readonly Expressions[];
  compose: Readonly<Record<string, ComposePlan>>;
}

type Expressions = { [Field in 'condition' | 'adapter']?: CompiledEdge[Field] | undefined };

/** Checks the size limits of a flow. Runs before every check whose cost grows with the number of nodes and edges. */
export function checkSizes({ nodes, edges, compose }: FlowSizes): Diagnostic[] {
  const problems: Diagnostic[] = [];
  if (nodes.length > limits.nodesPerGraph) {
    problems.push({
      code: 'too_many_nodes',
      message: `the flow has ${nodes.length} nodes: a flow has at most ${limits.nodesPerGraph} nodes`,
    });
  }
  const characters = expressionsOf(edges, compose).reduce((sum, text) => sum + text.length, 0);
  if (characters > limits.expressionCharactersPerGraph) {
    problems.push({
      code: 'expressions_too_long',
      message: `the expressions of the flow have ${characters} characters: the limit is ${limits.expressionCharactersPerGraph} for all of them together`,
    });
  }
  if (edges.length > limits.edgesPerGraph) {
    problems.push({
      code: 'too_many_edges',
      message: `the flow has ${edges.length} edges: a flow has at most ${limits.edgesPerGraph} edges`,
    });
  }
  return problems;
}

function expressionsOf(edges: FlowSizes['edges'], compose: FlowSizes['compose']): string[] {
  const fields = [...edges.map((edge) => edge.adapter ?? {}), ...Object.values(compose)];
  return [...edges.map((edge) => edge.condition ?? ''), ...fields.flatMap((one) => Object.values(one))];
}
