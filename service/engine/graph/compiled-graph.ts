import type { Json } from '../../errors/api-error.ts';

/**
 * A compiled flow: immutable plain JSON with every reference resolved and pinned. Runs depend only on it, so later publishing
 * does not affect them.
 */
export interface CompiledGraph {
  /** A hash of the tenant and the canonical document, `[A-Za-z0-9_-]+`. */
  graphId: string;
  /** Equal to `graphId`: a document has exactly one artifact. */
  artifactId: string;
  name: string;
  description: string;
  mode: FlowMode;
  /** Node ids. */
  entry: string;
  terminal: string;
  /** Full message names: the input of the entry and the output of the terminal. */
  inputMessage: string;
  outputMessage: string;
  nodes: CompiledNode[];
  edges: CompiledEdge[];
  /** By id of the node whose input the plan builds. */
  compose: Record<string, ComposePlan>;
  /** By config id. `default` is the default of the flow. */
  configProfiles: Record<string, ConfigProfile>;
  mutationEnabled: boolean;
  /** Ids of the mocked nodes, in document order. */
  mockedNodes: string[];
  /** Secret names, sorted. */
  requiredSecrets: string[];
  warnings: CompileWarning[];
}

/** A compiled mutation: the nodes and edges that a node adds to its running graph. */
export interface GraphFragment {
  nodes: CompiledNode[];
  /** Connect nodes of the fragment, of the graph, or both. */
  edges: CompiledEdge[];
}

/**
 * The mode of a flow or a node. `unary`: one input, one output. `pipeline`: frames in both directions. A pipeline flow may
 * contain unary nodes, which are called once per frame.
 */
export type FlowMode = 'unary' | 'pipeline';

/** A placement of a published node. */
export interface CompiledNode {
  /** Unique in the flow. */
  id: string;
  /** `<handle>/<package>` */
  packageName: string;
  version: string;
  nodeName: string;
  nodeUlid: string;
  /** Tenant and version that hold the descriptors. */
  ownerTenantId: string;
  versionId: string;
  inputMessage: string;
  outputMessage: string;
  mode: FlowMode;
  /** Settings of this node. The config profile of a run overrides them key by key. */
  config: ConfigProfile;
  timeoutMs: number;
  mock?: NodeMock;
  retry?: RetryPolicy;
  join?: JoinPolicy;
  requiredSecrets: string[];
  /** For the node of an Instance: the generic node that serves it. */
  generic?: GenericRef;
}

/** A generic node, possibly of another tenant. */
interface GenericRef {
  tenantId: string;
  versionId: string;
  /** The Instance that calls are made for: `<handle>/<name>@<version>`. */
  instance: string;
}

/** Settings by name. Immutable, because `profileJson` caches the text of a profile. */
export type ConfigProfile = Record<string, Json | undefined>;

/** The response that replaces a call of the node. Messages are base64 of their bytes. */
export type NodeMock = { output: string } | { frames: string[] } | { error: string };

/** After failed attempt `n` the next one starts `min(initialMs * factor^(n-1), maxMs)` later. */
export interface RetryPolicy {
  /** Counts the first attempt. At least 1. */
  maxAttempts: number;
  initialMs: number;
  factor: number;
  maxMs: number;
}

/** When a node with several incoming edges starts. Without a policy, it starts again for each edge that passes. */
export interface JoinPolicy {
  /** `all` waits for every incoming edge. `any` starts the node once, on the first edge that passes. */
  policy: 'all' | 'any';
  /** Whether a failure upstream fails the flow or counts as an edge that did not pass. */
  onError: 'abort' | 'continue';
}

/** An edge with its expressions as text, which are compiled again when the graph is loaded. */
export interface CompiledEdge {
  /** Unique in the flow. */
  id: string;
  /** Node ids. */
  from: string;
  to: string;
  /** CEL over the output of `from`. Without one the edge always passes. */
  condition?: string;
  /** Expressions by field path of the input of `to`. Without one the whole message passes. */
  adapter?: Record<string, string>;
}

/** Expressions over the outputs of incoming edges (`edge_id:a.b`), by field path of the node's input. */
export type ComposePlan = Record<string, string>;

interface CompileWarning {
  code: string;
  node?: string;
  edge?: string;
  message: string;
}
