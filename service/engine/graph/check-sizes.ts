import { limits } from '../../../specs/limits.ts';
import type { CompiledEdge, ComposePlan } from './compiled-graph.ts';
import type { Diagnostic } from './diagnostic.ts';

/** What of a flow has limits. */
export interface FlowSizes {
  nodes: readonly object[];
  edges: readonly Expressions[];
  compose: Readonly<Record<string, ComposePlan>>;
}

type Expressions = { [Field in 'condition' | 'adapter']?: CompiledEdge[Field] | undefined };

/** Holds a flow to its limits, before anything that takes time for every node and edge. */
export function checkSizes({ nodes, edges, compose }: FlowSizes): Diagnostic[] {
  const problems: Diagnostic[] = [];
  if (nodes.length > limits.nodesPerGraph) {
    problems.push({ code: 'too_many_nodes', message: `a flow has at most ${limits.nodesPerGraph} nodes` });
  }
  const characters = expressionsOf(edges, compose).reduce((sum, text) => sum + text.length, 0);
  if (characters > limits.expressionCharactersPerGraph) {
    problems.push({
      code: 'expressions_too_long',
      message: `the expressions of a flow have at most ${limits.expressionCharactersPerGraph} characters together, these have ${characters}`,
    });
  }
  if (edges.length > limits.edgesPerGraph) {
    problems.push({ code: 'too_many_edges', message: `a flow has at most ${limits.edgesPerGraph} edges` });
  }
  return problems;
}

function expressionsOf(edges: FlowSizes['edges'], compose: FlowSizes['compose']): string[] {
  const fields = [...edges.map((edge) => edge.adapter ?? {}), ...Object.values(compose)];
  return [...edges.map((edge) => edge.condition ?? ''), ...fields.flatMap((one) => Object.values(one))];
}
