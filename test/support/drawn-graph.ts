import type { CompiledEdge, CompiledGraph, CompiledNode } from '../../service/engine/graph/compiled-graph.ts';

/**
 * Returns a compiled graph to draw: nodes by id, edges as `from>to` or `from>to:condition`. The first node is the
 * entry, the last one the end.
 */
export function drawnGraph(
  ids: readonly string[],
  lines: readonly string[],
  fields: Partial<CompiledGraph> = {},
): CompiledGraph {
  return {
    graphId: 'g',
    artifactId: 'g',
    name: 'Drawn',
    description: '',
    mode: 'unary',
    entry: ids[0] ?? '',
    terminal: ids.at(-1) ?? '',
    inputMessage: 'a.A',
    outputMessage: 'a.A',
    nodes: ids.map(placed),
    edges: lines.map(edge),
    compose: {},
    configProfiles: {},
    mutationEnabled: false,
    mockedNodes: [],
    requiredSecrets: [],
    warnings: [],
    ...fields,
  };
}

function placed(id: string): CompiledNode {
  return {
    id,
    packageName: 'acme/steps',
    version: '1.0.0',
    nodeName: 'Step',
    nodeUlid: '01',
    ownerTenantId: 't',
    versionId: 'v',
    inputMessage: 'a.A',
    outputMessage: 'a.A',
    mode: 'unary',
    config: {},
    timeoutMs: 1000,
    requiredSecrets: [],
  };
}

function edge(line: string, index: number): CompiledEdge {
  const [, from = '', to = '', condition] = /^(\w+)>(\w+)(?::(.*))?$/s.exec(line) ?? [];
  return { id: `e${index}`, from, to, ...(condition !== undefined && { condition }) };
}
