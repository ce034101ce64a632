import type { Diagnostic, Findings } from './diagnostic.ts';
import { type IdentifiedEdge, reachableFrom } from './edges.ts';

/** What of a flow its shape is judged by: of a document, or of a graph that grows while it runs. */
export interface FlowOutline {
  entry?: string | undefined;
  terminal?: string | undefined;
  nodes: readonly { id: string; join?: object | undefined }[];
  edges: readonly { id?: string | undefined }[];
  compose: Readonly<Record<string, object>>;
  mutation_enabled: boolean;
}

/**
 * Holds the shape of a flow: ids are unique, what is named exists, the terminal can be reached. Knows nothing of types. Loops and
 * edges from a node to itself are fine.
 */
export function checkStructure(document: FlowOutline, edges: readonly IdentifiedEdge[]): Findings {
  const ids = new Set(document.nodes.map((node) => node.id));
  const problems = [
    ...checkIds(document),
    ...checkEnds(document, ids),
    ...checkReferences(document, edges, ids),
  ];
  // Reachability only means something once every end and every edge leads somewhere.
  if (problems.length > 0 || !document.entry || !document.terminal) return { problems, warnings: [] };
  return checkPaths(document, edges, document.entry, document.terminal);
}

function checkIds({ nodes, edges }: FlowOutline): Diagnostic[] {
  return [
    ...repeated(nodes.map((node) => node.id)).map((id) => ({
      code: 'duplicate_node',
      node: id,
      message: `node id "${id}" is used more than once: every placement needs an id of its own`,
    })),
    ...repeated(edges.flatMap((edge) => edge.id ?? [])).map((id) => ({
      code: 'duplicate_edge',
      edge: id,
      message: `edge id "${id}" is used more than once: every edge needs an id of its own`,
    })),
  ];
}

function checkEnds(document: FlowOutline, ids: ReadonlySet<string>): Diagnostic[] {
  const roles = { entry: 'the node that takes the input', terminal: 'the node whose output is the result' };
  const empty = ids.size === 0 ? [{ code: 'no_nodes', message: 'the flow has no nodes' }] : [];
  const ends = (['entry', 'terminal'] as const).flatMap((end) => {
    const id = document[end];
    if (!id) return [{ code: `missing_${end}`, message: `the flow has no ${end}: name ${roles[end]}` }];
    if (ids.has(id)) return [];
    return [{ code: `unknown_${end}`, node: id, message: `${end} "${id}" is not a node of the flow` }];
  });
  return [...empty, ...ends];
}

function checkReferences(
  document: FlowOutline,
  edges: readonly IdentifiedEdge[],
  ids: ReadonlySet<string>,
): Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const edge of edges) {
    for (const [end, id] of [
      ['source', edge.from],
      ['target', edge.to],
    ] as const) {
      if (ids.has(id)) continue;
      problems.push({
        code: `unknown_${end}`,
        edge: edge.id,
        message: `edge "${edge.from}" → "${edge.to}": ${end} "${id}" is not a node of the flow`,
      });
    }
  }
  for (const id of Object.keys(document.compose)) {
    if (ids.has(id)) continue;
    problems.push({
      code: 'unknown_compose_node',
      node: id,
      message: `compose: "${id}" is not a node of the flow`,
    });
  }
  return problems;
}

function checkPaths(
  document: FlowOutline,
  edges: readonly IdentifiedEdge[],
  entry: string,
  terminal: string,
): Findings {
  const findings: Findings = { problems: [], warnings: [] };
  const reached = reachableFrom(entry, edges, 'forward');
  const leading = reachableFrom(terminal, edges, 'backward');
  if (!reached.has(terminal)) {
    findings.problems.push({
      code: 'unreachable_terminal',
      node: terminal,
      message: `no path leads from the entry "${entry}" to the terminal "${terminal}"`,
    });
  }
  for (const { id } of document.nodes) {
    if (id === terminal) continue;
    if (!reached.has(id)) {
      // A run that may change its own graph can come to lead there.
      findings[document.mutation_enabled ? 'warnings' : 'problems'].push({
        code: 'unreachable_node',
        node: id,
        message: `node "${id}" can never run: no path leads to it from the entry "${entry}"`,
      });
    } else if (!leading.has(id)) {
      findings.warnings.push({
        code: 'dead_end',
        node: id,
        message: `node "${id}" leads nowhere: no path leads from it to the terminal "${terminal}", whose result ends the run`,
      });
    }
  }
  return findings;
}

function repeated(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}
