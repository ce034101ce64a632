import { limits } from '../../../specs/limits.ts';
import type { GraphDocument } from '../../../specs/operations/graph-shapes.ts';
import type { Diagnostic } from './diagnostic.ts';

/** Holds a flow to its limits, before anything that takes time for every node and edge. */
export function checkSizes({ nodes, edges, compose }: GraphDocument): Diagnostic[] {
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

function expressionsOf(edges: GraphDocument['edges'], compose: GraphDocument['compose']): string[] {
  const fields = [...edges.map((edge) => edge.adapter ?? {}), ...Object.values(compose)];
  return [...edges.map((edge) => edge.condition ?? ''), ...fields.flatMap((one) => Object.values(one))];
}
