import type { Json } from '../../errors/api-error.ts';

/**
 * A flow as it was compiled: plain JSON, immutable, everything that a name could mean resolved and pinned. Runs are made from
 * it alone, whatever is published later (SPEC.md, Versioning 2).
 */
export interface CompiledGraph {
  /** `[A-Za-z0-9_-]+`, a hash of tenant and canonical document. */
  graphId: string;
  /** The artifact's id; the same text as `graphId`, since a document has exactly one artifact. */
  artifactId: string;
  name: string;
  description: string;
  mode: FlowMode;
  /** Node ids. */
  entry: string;
  terminal: string;
  /** Full names: what the flow takes, and what it gives. */
  inputMessage: string;
  outputMessage: string;
  nodes: CompiledNode[];
  edges: CompiledEdge[];
  /** By id of the node that they make the input of. */
  compose: Record<string, ComposePlan>;
  /** By config id; `default` is the flow's default. */
  configProfiles: Record<string, ConfigProfile>;
  mutationEnabled: boolean;
  /** Ids of the nodes that answer from a fixture, in the document's order. */
  mockedNodes: string[];
  /** Names of secrets, sorted. */
  requiredSecrets: string[];
  /** What compiled, but may not be what its author means. */
  warnings: CompileWarning[];
}

/** What a node adds to a running graph, compiled: everything pinned, edges named. */
export interface GraphFragment {
  nodes: CompiledNode[];
  /** Between nodes of the fragment, of the graph, or both. */
  edges: CompiledEdge[];
}

export type FlowMode = 'unary' | 'pipeline';

/** A placement of a published node. */
export interface CompiledNode {
  /** Canvas id, unique in the flow. */
  id: string;
  /** `<handle>/<package>` and its pinned version. */
  packageName: string;
  version: string;
  nodeName: string;
  nodeUlid: string;
  /** Whose package it is, and the id of the version: where the descriptors stand. */
  ownerTenantId: string;
  versionId: string;
  inputMessage: string;
  outputMessage: string;
  mode: FlowMode;
  /** Settings of this placement; a config profile overrides them key by key. */
  config: ConfigProfile;
  timeoutMs: number;
  mock?: NodeMock;
  retry?: RetryPolicy;
  join?: JoinPolicy;
  requiredSecrets: string[];
  /** Of an Instance's node: the generic node that answers, and what calls tell it that they come from. */
  generic?: GenericRef;
}

/** A generic node of whichever tenant. */
export interface GenericRef {
  tenantId: string;
  versionId: string;
  /** `<handle>/<name>@<version>` of the Instance. */
  instance: string;
}

export type ConfigProfile = Record<string, Json | undefined>;

/** What answers instead of the node; messages as base64 of their bytes. */
export type NodeMock = { output: string } | { frames: string[] } | { error: string };

/** After attempt `n` fails, the next one starts `min(initialMs * factor^(n-1), maxMs)` later. */
export interface RetryPolicy {
  /** Attempts in all, from 1. */
  maxAttempts: number;
  initialMs: number;
  factor: number;
  maxMs: number;
}

export interface JoinPolicy {
  /** `all`: waits for every incoming edge; `any`: the first that passes starts the node, once. */
  policy: 'all' | 'any';
  /** What the failure of a node that leads here does: fails the flow, or counts as an edge that did not pass. */
  onError: 'abort' | 'continue';
}

export interface CompiledEdge {
  /** Unique in the flow. */
  id: string;
  /** Node ids. */
  from: string;
  to: string;
  /** CEL over the output of `from`; absent: always passes. */
  condition?: string;
  /** Expression by field path of the input of `to`; absent: the whole message passes. */
  adapter?: Record<string, string>;
}

/** Expression over the outputs of incoming edges (`edge_id:a.b`), by field path of the node's input. */
export type ComposePlan = Record<string, string>;

export interface CompileWarning {
  code: string;
  node?: string;
  edge?: string;
  message: string;
}
