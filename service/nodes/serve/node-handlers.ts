import type { DescMessage, Registry } from '@bufbuild/protobuf';
import type { Output } from './handler-values.ts';

/**
 * The handlers of a package by node name. The module given to `svc node serve` exports them as its default.
 *
 * A handler's input is a protobuf-es message: 64-bit integers are bigint, bytes are Uint8Array, a oneof is `{case, value}`, and an
 * enum value is its number. Its output is such a message, or a plain object of the same form. All fields of the output are optional,
 * and an enum value may be its name. `svc node types` writes the types of a package, and `Handlers` with them:
 *
 * ```ts
 * export default {
 *   Greet: (input) => ({ text: `Hello ${input.name}` }),
 * } satisfies Handlers;
 * ```
 *
 * The handler of a pipeline node is a generator over its input frames. It is resumed when the caller takes more output, and
 * ends the stream by returning. If the caller leaves, `frames` throws and the generator ends at its next `yield`.
 *
 * ```ts
 * export default {
 *   async *Shout(frames) {
 *     for await (const { text } of frames) yield { text: text.toUpperCase() };
 *   },
 * } satisfies Handlers;
 * ```
 */
export type NodeHandlers = Record<string, NodeHandler>;

/**
 * An error that a handler throws fails the call with its message. In a flow, the node's `retry` policy applies, unless the
 * handler marks the failure as final with `context.fail(message, {retryable: false})`.
 */
export type NodeHandler = (input: never, context: NodeContext) => unknown;

/** Handler of a unary node, with the message types that `svc node types` writes. */
export type UnaryHandler<Input, Answer> = (
  input: Input,
  context: NodeContext,
) => Output<Answer> | NodePauseRequest | Promise<Output<Answer> | NodePauseRequest>;

/** Handler of a pipeline node, with the types of its frames. */
export type PipelineHandler<Input, Frame> = (
  frames: AsyncIterable<Input>,
  context: NodeContext,
) => AsyncIterable<Output<Frame>> | Iterable<Output<Frame>>;

/** The level of a line in the execution's log. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The context of a call, and the messages that a handler can send before its output. */
export interface NodeContext {
  /** 32 hex characters, also the trace id. */
  readonly executionId: string;
  /** The node's own name. */
  readonly node: string;
  readonly tenantId: string;
  /** Node id in the flow; empty on a direct call. */
  readonly placementId: string;
  /** From 1. */
  readonly attempt: number;
  /** The same on every attempt of a step. Pass it to other systems to make their effects idempotent. */
  readonly idempotencyId: string;
  /** W3C trace context. Pass it to the systems that the node calls. */
  readonly traceparent: string;
  /** Time at which the caller stops waiting; undefined for no limit. */
  readonly deadline: Date | undefined;
  /** Aborts when the caller cancels or the deadline passes. Stop as soon as possible. */
  readonly signal: AbortSignal;
  /** The resolved config profile. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The declared secrets, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Set if the input is a human's decision on a pause of this node. */
  readonly resumed: { readonly pauseId: string; readonly by: string } | undefined;
  /** Set on a generic node: the messages bound to its open ports in this call. */
  readonly binding: BoundMessages | undefined;

  /** Writes a line to the execution's log (`NODE_LOG`). */
  readonly log: (level: LogLevel, message: string) => void;
  /** Sends a progress frame (`NODE_PROGRESS`): any JSON value, at most 64 KiB as text. */
  readonly progress: (kind: string, json: unknown) => void;
  /**
   * Adds nodes and edges to the graph of this run. New edges may connect any existing and new nodes. They take effect once the call
   * has ended with its output. The flow needs `mutation_enabled`.
   */
  readonly mutate: (fragment: GraphFragment) => void;
  /** Publishes to the run's followers what the node reads from and writes to its own memory. */
  readonly memory: {
    readonly read: (key: string, detail?: unknown) => void;
    readonly write: (key: string, detail?: unknown) => void;
  };
  /** Ends the call as failed. */
  readonly fail: (message: string, options?: FailOptions) => never;
  /**
   * Ends the call with a request for a human decision: `return context.pause({ask: {...}})`. The decision
   * becomes the input of another call of the node. That call does not receive the current input again.
   */
  readonly pause: (request: PauseRequest) => NodePauseRequest;
}

/** A fragment of a graph, in the form of `POST /api/v1/graphs/compile`. */
export interface GraphFragment {
  nodes?: readonly ({ id: string; package: string } & Record<string, unknown>)[];
  edges?: readonly ({ from: string; to: string } & Record<string, unknown>)[];
}

/** Options of `context.fail`. */
export interface FailOptions {
  /** Whether a further attempt may succeed, if the flow has a `retry` for the node. Default true; false for a final failure. */
  retryable?: boolean;
  /**
   * Any JSON value, for the `FLOW_FAILED` event of a flow. Direct calls return only the message. A bigint becomes a string, here
   * and in all JSON below.
   */
  payload?: unknown;
}

/** What `context.pause` asks a human. */
export interface PauseRequest {
  /** The question to the human, any JSON value. */
  ask: unknown;
  /** Full name of the message type of the decision. Default: the node's input message. */
  resumeSchema?: string;
  /** Default: the service's default. */
  timeoutSeconds?: number;
  /** Default: never. */
  escalateAfterSeconds?: number;
}

/** The messages that an Instance binds to a generic node's open ports. */
export interface BoundMessages {
  /** `<handle>/<name>@<version>` */
  readonly instance: string;
  /** Set on an open port. */
  readonly input: DescMessage | undefined;
  readonly output: DescMessage | undefined;
  /** The bound messages, and every message that they refer to. */
  readonly registry: Registry;
}

/** The result of `context.pause`, which the handler returns. */
export class NodePauseRequest {
  readonly request: PauseRequest;

  constructor(request: PauseRequest) {
    this.request = request;
  }
}

/** The error that `context.fail` throws. */
export class NodeFailureError extends Error {
  override readonly name = 'NodeFailureError';
  readonly retryable: boolean;
  /** Empty for none. */
  readonly payloadJson: string;

  constructor(message: string, { retryable, payloadJson }: { retryable: boolean; payloadJson: string }) {
    super(message);
    this.retryable = retryable;
    this.payloadJson = payloadJson;
  }
}
