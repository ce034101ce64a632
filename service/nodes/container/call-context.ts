import { create, toBinary } from '@bufbuild/protobuf';
import { type CallContext, CallContextSchema, InvokeRequestSchema } from './protocol.ts';

/** One call of a unary node. */
export interface NodeInvocation {
  context: NodeCallContext;
  /** Serialized input message. */
  input: Uint8Array;
}

/** Who calls which node, and what the call knows of its run; what is left out stays at the protocol's default. */
export interface NodeCallContext {
  /** 32 hex characters, also the trace id. */
  executionId: string;
  /** The node's name in its package. */
  node: string;
  /** Canvas id in the flow; absent on a direct call. */
  placementId?: string;
  tenantId: string;
  /** From 1. */
  attempt: number;
  /** `<execution_id>:<step>`, the same on every attempt of a step. */
  idempotencyId: string;
  /** Epoch milliseconds; 0 for none. */
  deadlineMs: number;
  /** Resolved config profile, a JSON object. */
  configJson?: string;
  /** Only names that the node declared and the tenant configured. */
  secrets?: Record<string, string>;
  resumedPauseId?: string;
  resumedBy?: string;
  /** W3C trace context. */
  traceparent: string;
  /** On a call to an Instance of a generic node. */
  binding?: NodeBinding;
}

/** What an Instance binds a generic node's open ports to. */
export interface NodeBinding {
  /** `<handle>/<name>@<version>` */
  instance: string;
  /** Full names, whichever ports are open. */
  inputMessage?: string;
  outputMessage?: string;
  /** Binary `google.protobuf.FileDescriptorSet` with those messages. */
  descriptorSet: Uint8Array;
}

/** @returns a serialized InvokeRequest */
export function encodeInvocation({ context, input }: NodeInvocation): Uint8Array {
  return toBinary(
    InvokeRequestSchema,
    create(InvokeRequestSchema, { context: encodeContext(context), input }),
  );
}

function encodeContext({ deadlineMs, binding, ...rest }: NodeCallContext): CallContext {
  return create(CallContextSchema, {
    ...rest,
    deadlineMs: BigInt(Math.trunc(deadlineMs)),
    ...(binding && { binding }),
  });
}
