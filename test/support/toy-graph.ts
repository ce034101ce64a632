import type {
  CompiledEdge,
  CompiledNode,
  GraphFragment,
  JoinPolicy,
  RetryPolicy,
} from '../../service/engine/graph/compiled-graph.ts';
import type { LoadedEdge, LoadedGraph, LoadedNode } from '../../service/engine/graph/loaded-graph.ts';

/** A graph of a few lines, for decisions that need no real messages: its messages are JSON that lists the visited nodes. */
export interface ToyGraph {
  entry: string;
  terminal: string;
  nodes: ToyNode[];
  edges: ToyEdge[];
  /** The growth that nodes add to the graph with their first output. */
  growth?: ToyGrowth[];
}

export interface ToyGrowth {
  /** Id of the node that adds the growth. */
  by: string;
  /** A node of the growth, which shows whether the growth is present. */
  node: ToyNode;
  edges: ToyEdge[];
}

export interface ToyNode {
  id: string;
  join?: JoinPolicy;
  retry?: RetryPolicy;
  /** A mock responds, as if the node were the first. */
  mocked?: boolean;
}

interface ToyEdge {
  from: string;
  to: string;
  /** Passes while the message has visited fewer nodes; by default always. */
  below?: number;
  /** Never passes. */
  closed?: boolean;
  /** Fails instead. */
  error?: string;
  /** Whether the condition of an edge that fails has passed. */
  passes?: boolean;
  /** Units of work to evaluate it. */
  work?: number;
}

/** A message of a toy graph: the length of its longest path, and every visited node, sorted. */
interface ToyMessage {
  length: number;
  through: string[];
}

export function toBytes(message: ToyMessage): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message));
}

export function fromBytes(bytes: Uint8Array): ToyMessage {
  return JSON.parse(new TextDecoder().decode(bytes)) as ToyMessage;
}

/** Returns the output of a node for its input. */
export function passThrough(node: string, input: Uint8Array): Uint8Array {
  const { length, through } = fromBytes(input);
  return toBytes({ length: length + 1, through: [...new Set([...through, node])].sort() });
}

export function edgeId({ from, to }: Pick<ToyEdge, 'from' | 'to'>): string {
  return `${from}->${to}`;
}

/** Returns the graph after a growth. */
export function grownToyGraph(toy: ToyGraph, { node, edges }: Pick<ToyGrowth, 'node' | 'edges'>): ToyGraph {
  return { ...toy, nodes: [...toy.nodes, node], edges: [...toy.edges, ...edges] };
}

/** Returns a mutation in its journaled form. */
export function compiledToyGrowth({ node, edges }: Pick<ToyGrowth, 'node' | 'edges'>): GraphFragment {
  return { nodes: [compiledNode(node)], edges: edges.map(compiledEdge) };
}

/** Returns the graph of a run. Every join has a compose plan that merges its inputs. */
export function loadToyGraph({ entry, terminal, nodes, edges }: ToyGraph): LoadedGraph {
  const compiledNodes = nodes.map(compiledNode);
  const compiledEdges = edges.map(compiledEdge);
  const loaded = edges.map((edge, index): LoadedEdge => ({
    compiled: compiledEdges[index]!,
    evaluate: ({ bytes: source, meter }) => {
      meter.spend(edge.work ?? 0);
      if (edge.error !== undefined) {
        return { pass: edge.passes ?? false, error: edge.error, kind: 'EDGE_ADAPTER' };
      }
      const pass = !edge.closed && fromBytes(source).length < (edge.below ?? Infinity);
      return { pass, adapterApplied: false };
    },
  }));
  const graph = {
    graphId: 'toy',
    artifactId: 'toy',
    name: 'Toy',
    description: '',
    mode: 'unary' as const,
    entry,
    terminal,
    inputMessage: 'Toy',
    outputMessage: 'Toy',
    nodes: compiledNodes,
    edges: compiledEdges,
    compose: Object.fromEntries(nodes.filter(({ join }) => join).map(({ id }) => [id, {}])),
    configProfiles: {},
    mutationEnabled: false,
    mockedNodes: [],
    requiredSecrets: [],
    warnings: [],
  };
  return {
    graph,
    node: (id) => {
      const isMocked = nodes.find((node) => node.id === id)?.mocked === true;
      return {
        compiled: compiledNodes.find((node) => node.id === id),
        mock: isMocked ? { kind: 'output', output: toBytes({ length: 1, through: [id] }) } : undefined,
      } as LoadedNode;
    },
    outgoing: (id) => loaded.filter(({ compiled }) => compiled.from === id),
    incoming: (id) => loaded.filter(({ compiled }) => compiled.to === id),
    compose: (_node, outputs) => {
      const messages = [...outputs.values()].map(fromBytes);
      const length = Math.max(0, ...messages.map((message) => message.length));
      return {
        input: toBytes({ length, through: [...new Set(messages.flatMap(({ through }) => through))].sort() }),
      };
    },
  };
}

function compiledEdge({ from, to }: ToyEdge): CompiledEdge {
  return { id: edgeId({ from, to }), from, to };
}

function compiledNode({ id, join, retry }: ToyNode): CompiledNode {
  return {
    id,
    packageName: 'acme/toy',
    version: '1.0.0',
    nodeName: 'Toy',
    nodeUlid: '',
    ownerTenantId: '',
    versionId: '',
    inputMessage: 'Toy',
    outputMessage: 'Toy',
    mode: 'unary',
    config: {},
    timeoutMs: 1000,
    requiredSecrets: [],
    ...(join && { join }),
    ...(retry && { retry }),
  };
}
