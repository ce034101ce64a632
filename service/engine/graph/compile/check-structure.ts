import { nameList } from '../../../errors/name-list.ts';
import type { Diagnostic, Findings } from '../diagnostic.ts';
import type { IdentifiedEdge } from './identify-edges.ts';
import { reachableNodes } from './reachable-nodes.ts';

/** The parts of a flow that define its structure. Both a document and a mutated graph have them. */
export interface FlowOutline {
  entry?: string | undefined;
  terminal?: string | undefined;
  nodes: readonly { id: string; join?: object | undefined }[];
  edges: readonly { id?: string | undefined }[];
  compose: Readonly<Record<string, object>>;
  mutation_enabled: boolean;
}

/**
 * Checks the structure of a flow: ids are unique, references resolve, and the terminal is reachable. Needs no message types. Loops
 * and edges from a node to itself are valid.
 */
export function checkStructure(document: FlowOutline, edges: readonly IdentifiedEdge[]): Findings {
  const ids = new Set(document.nodes.map((node) => node.id));
  const problems = [
    ...checkIds(document),
    ...checkEnds(document, ids),
    ...checkReferences(document, edges, ids),
  ];
  // Reachability is meaningful only once every reference resolves.
  if (problems.length > 0 || !document.entry || !document.terminal) return { problems, warnings: [] };
  return checkPaths(document, edges, document.entry, document.terminal);
}

function checkIds({ nodes, edges }: FlowOutline): Diagnostic[] {
  return [
    ...repeated(nodes.map((node) => node.id)).map((id) => ({
      code: 'duplicate_node',
      node: id,
      message: `node id "${id}" is used more than once: give every node a unique id`,
    })),
    ...repeated(edges.flatMap((edge) => edge.id ?? [])).map((id) => ({
      code: 'duplicate_edge',
      edge: id,
      message: `edge id "${id}" is used more than once: give every edge a unique id`,
    })),
  ];
}

function checkEnds(document: FlowOutline, ids: ReadonlySet<string>): Diagnostic[] {
  const roles = {
    entry: 'the node that receives the input',
    terminal: 'the node whose output is the result',
  };
  const empty =
    ids.size === 0 ? [{ code: 'no_nodes', message: 'the flow has no nodes: add at least one' }] : [];
  const ends = (['entry', 'terminal'] as const).flatMap((end) => {
    const id = document[end];
    if (!id)
      return [
        { code: `missing_${end}`, message: `the flow has no ${end}: set it to the id of ${roles[end]}` },
      ];
    if (ids.has(id)) return [];
    return [{ code: `unknown_${end}`, node: id, message: `${end} ${notANode(id, ids)}` }];
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
        message: `edge "${edge.from}" → "${edge.to}": ${end} ${notANode(id, ids)}`,
      });
    }
  }
  for (const id of Object.keys(document.compose)) {
    if (ids.has(id)) continue;
    problems.push({
      code: 'unknown_compose_node',
      node: id,
      message: `compose: ${notANode(id, ids)}`,
    });
  }
  return problems;
}

function notANode(id: string, ids: ReadonlySet<string>): string {
  const hint = ids.size === 0 ? '' : `: its nodes are ${nameList([...ids])}`;
  return `"${id}" is not a node of the flow${hint}`;
}

function checkPaths(
  document: FlowOutline,
  edges: readonly IdentifiedEdge[],
  entry: string,
  terminal: string,
): Findings {
  const findings: Findings = { problems: [], warnings: [] };
  const reached = reachableNodes(entry, edges, 'forward');
  const reachesTerminal = reachableNodes(terminal, edges, 'backward');
  if (!reached.has(terminal)) {
    findings.problems.push({
      code: 'unreachable_terminal',
      node: terminal,
      message: `no path leads from the entry "${entry}" to the terminal "${terminal}": connect them with edges`,
    });
  }
  for (const { id } of document.nodes) {
    if (id === terminal) continue;
    if (!reached.has(id)) {
      // A mutation may add a path to the node while the flow runs.
      findings[document.mutation_enabled ? 'warnings' : 'problems'].push({
        code: 'unreachable_node',
        node: id,
        message: `node "${id}" never runs: no path leads to it from the entry "${entry}": add an edge to it or remove it`,
      });
    } else if (!reachesTerminal.has(id)) {
      findings.warnings.push({
        code: 'dead_end',
        node: id,
        message: `node "${id}" has no path to the terminal "${terminal}": the run may end before the node completes`,
      });
    }
  }
  findings.warnings.push(...identicalEdges(edges));
  return findings;
}

/** Warns about edges that are identical to another edge. Both deliver the same message, which is rarely intended. */
function identicalEdges(edges: readonly IdentifiedEdge[]): Diagnostic[] {
  const first = new Map<string, string>();
  const warnings: Diagnostic[] = [];
  for (const { id, ...edge } of edges) {
    const same = JSON.stringify([edge.from, edge.to, edge.condition ?? null, sortedAdapter(edge)]);
    const other = first.get(same);
    if (other === undefined) {
      first.set(same, id);
      continue;
    }
    warnings.push({
      code: 'identical_edge',
      edge: id,
      message: `edge "${id}" is the same as edge "${other}": remove one of them`,
    });
  }
  return warnings;
}

/** Returns the fields of an adapter sorted by name, because their order does not matter. */
function sortedAdapter({
  adapter,
}: Pick<IdentifiedEdge, 'adapter'>): [field: string, expression: string][] | null {
  if (!adapter) return null;
  return Object.entries(adapter).sort(([one], [other]) => (one < other ? -1 : 1));
}

function repeated(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const id of ids) (seen.has(id) ? again : seen).add(id);
  return [...again];
}
