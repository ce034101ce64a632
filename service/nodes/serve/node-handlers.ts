import type { DescMessage, Registry } from '@bufbuild/protobuf';

/**
 * The nodes of a package by their names in package.yaml: what the module given to `svc node serve` exports as its default.
 *
 * A handler's input is a protobuf-es message: 64 bit integers are bigint, bytes are Uint8Array, a oneof is `{case, value}`,
 * an enum value is its number. Its output is such a message or a plain object of the same form, of which fields may be left
 * out.
 *
 * ```ts
 * export default {
 *   Greet: (input: GreetRequest) => ({ text: `Hello ${input.name}` }),
 * } satisfies NodeHandlers;
 * ```
 */
export type NodeHandlers = Record<string, NodeHandler>;

/** Whatever it throws becomes the call's failure, its message verbatim; `context.fail` says more about it. */
export type NodeHandler = (input: never, context: NodeContext) => unknown;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What a call knows beside its input, and what it may say beside its output. */
export interface NodeContext {
  /** 32 hex characters, also the trace id. */
  readonly executionId: string;
  /** The node's own name. */
  readonly node: string;
  readonly tenantId: string;
  /** Canvas id in the flow; empty on a direct call. */
  readonly placementId: string;
  /** From 1. */
  readonly attempt: number;
  /** The same on every attempt of a step: what the node does elsewhere under this id, it does once. */
  readonly idempotencyId: string;
  /** W3C trace context, to be handed on. */
  readonly traceparent: string;
  /** Nobody reads an answer after this; undefined when there is no limit. */
  readonly deadline: Date | undefined;
  /** Fires when the caller cancelled or the deadline is over: stop what you can. */
  readonly signal: AbortSignal;
  /** The resolved config profile. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Declared secrets that the tenant configured, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Set when the input is a human's decision on a pause of this node. */
  readonly resumed: { readonly pauseId: string; readonly by: string } | undefined;
  /** Set on a generic node: what its open ports are bound to in this call. */
  readonly binding: BoundMessages | undefined;

  /** A line of the execution's log (`NODE_LOG`). */
  readonly log: (level: LogLevel, message: string) => void;
  /** A progress frame (`NODE_PROGRESS`): any JSON value, at most 64 KiB as text. */
  readonly progress: (kind: string, json: unknown) => void;
  /**
   * Adds nodes and edges to the graph of the run, for this flow run alone: the new edges may lead from this node, to the flow's
   * terminal, or between any nodes that are there. They count once the call has ended with its output; the flow needs
   * `mutation_enabled`.
   */
  readonly mutate: (fragment: GraphFragment) => void;
  /** Tells whoever follows the run what the node reads from a memory of its own, and what it writes there. */
  readonly memory: {
    readonly read: (key: string, detail?: unknown) => void;
    readonly write: (key: string, detail?: unknown) => void;
  };
  /** Ends the call as failed. */
  readonly fail: (message: string, options?: FailOptions) => never;
  /** Ends the call as waiting for a human: `return context.pause({ask: {...}})`. */
  readonly pause: (request: PauseRequest) => NodePauseRequest;
}

/** In the form of `POST /api/v1/graphs/compile`, whose documentation tells all fields. */
export interface GraphFragment {
  nodes?: readonly ({ id: string; package: string } & Record<string, unknown>)[];
  edges?: readonly ({ from: string; to: string } & Record<string, unknown>)[];
}

export interface FailOptions {
  /** A further attempt may succeed; default false. */
  retryable?: boolean;
  /** Any JSON value, for the flow's failure event; a bigint becomes a string, here and in all JSON below. */
  payload?: unknown;
}

export interface PauseRequest {
  /** Any JSON value: what the human is asked. */
  ask: unknown;
  /** Full name of the message that the decision must fit; default the node's input message. */
  resumeSchema?: string;
  /** Default: the service's. */
  timeoutSeconds?: number;
  /** Default: never. */
  escalateAfterSeconds?: number;
}

/** The messages that an Instance binds to a generic node's open ports. */
export interface BoundMessages {
  /** `<handle>/<name>@<version>` */
  readonly instance: string;
  /** Of the port that the node leaves open, else undefined. */
  readonly input: DescMessage | undefined;
  readonly output: DescMessage | undefined;
  /** The bound messages and everything that they refer to. */
  readonly registry: Registry;
}

/** What `context.pause` returns and the handler hands on. */
export class NodePauseRequest {
  readonly request: PauseRequest;

  constructor(request: PauseRequest) {
    this.request = request;
  }
}

/** What `context.fail` throws. */
export class NodeFailureError extends Error {
  override readonly name = 'NodeFailureError';
  readonly retryable: boolean;
  /** Empty when there is none. */
  readonly payloadJson: string;

  constructor(message: string, { retryable, payloadJson }: { retryable: boolean; payloadJson: string }) {
    super(message);
    this.retryable = retryable;
    this.payloadJson = payloadJson;
  }
}
