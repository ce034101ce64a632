import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { createMessageEncoder, tagOf } from './encode-message.ts';
import { BindingSchema, CallContextSchema, InvokeRequestSchema, StreamRequestSchema } from './protocol.ts';

// Every node call sends this message, so it is encoded by hand. A test compares the bytes with the schemas' encoding.

/** One call of a unary node. */
export interface NodeInvocation {
  context: NodeCallContext;
  /** Serialized input message. */
  input: Uint8Array;
}

/** Identifies a call and carries its configuration. Absent fields keep the protocol's defaults. */
export interface NodeCallContext {
  /** 32 hex characters, also the trace id. */
  executionId: string;
  /** The node's name in its package. */
  node: string;
  /** `<handle>/<name>` of the package that the container serves. For a call to an Instance: the generic node's package. */
  packageName: string;
  packageVersion: string;
  /** Node id in the flow; absent on a direct call. */
  placementId?: string | undefined;
  tenantId: string;
  /** From 1. */
  attempt: number;
  /** `<execution_id>:<step>`, the same on every attempt of a step. */
  idempotencyId: string;
  /** Epoch milliseconds; 0 for none. */
  deadlineMs: number;
  /** Resolved config profile, a JSON object. */
  configJson?: string | undefined;
  /** Only the secrets that the node declares. */
  secrets?: Record<string, string>;
  resumedPauseId?: string | undefined;
  resumedBy?: string | undefined;
  /** W3C trace context. */
  traceparent: string;
  /** Set on a call to an Instance of a generic node. */
  binding?: NodeBinding | undefined;
}

/** The messages that an Instance binds to a generic node's open ports. */
export interface NodeBinding {
  /** `<handle>/<name>@<version>` */
  instance: string;
  /** Full names, set for the open ports. */
  inputMessage?: string;
  outputMessage?: string;
  /** Serialized `google.protobuf.FileDescriptorSet` with these messages. */
  descriptorSet: Uint8Array;
}

const { field } = CallContextSchema;

const tags = {
  context: tagOf(InvokeRequestSchema.field.context),
  input: tagOf(InvokeRequestSchema.field.input),
  start: tagOf(StreamRequestSchema.field.start),
  frame: tagOf(StreamRequestSchema.field.frame),
  executionId: tagOf(field.executionId),
  node: tagOf(field.node),
  placementId: tagOf(field.placementId),
  tenantId: tagOf(field.tenantId),
  attempt: tagOf(field.attempt, WireType.Varint),
  idempotencyId: tagOf(field.idempotencyId),
  deadlineMs: tagOf(field.deadlineMs, WireType.Varint),
  configJson: tagOf(field.configJson),
  secrets: tagOf(field.secrets),
  resumedPauseId: tagOf(field.resumedPauseId),
  resumedBy: tagOf(field.resumedBy),
  traceparent: tagOf(field.traceparent),
  binding: tagOf(field.binding),
  packageName: tagOf(field.packageName),
  packageVersion: tagOf(field.packageVersion),
  instance: tagOf(BindingSchema.field.instance),
  inputMessage: tagOf(BindingSchema.field.inputMessage),
  outputMessage: tagOf(BindingSchema.field.outputMessage),
  descriptorSet: tagOf(BindingSchema.field.descriptorSet),
};

/** Key and value are fields 1 and 2 of every map entry. */
const entryTags = { key: (1 << 3) | WireType.LengthDelimited, value: (2 << 3) | WireType.LengthDelimited };

const encode = createMessageEncoder();

/** @returns a serialized InvokeRequest */
export function encodeInvocation({ context, input }: NodeInvocation): Uint8Array {
  return encode((writer) => {
    writer.uint32(tags.context).fork();
    writeContext(writer, context);
    writer.join();
    if (input.length > 0) writer.uint32(tags.input).bytes(input);
  });
}

/** @returns a serialized StreamRequest that begins a stream */
export function encodeStreamStart(context: NodeCallContext): Uint8Array {
  return encode((writer) => {
    writer.uint32(tags.start).fork();
    writeContext(writer, context);
    writer.join();
  });
}

/**
 * @param frame serialized input message
 * @returns a serialized StreamRequest
 */
export function encodeStreamFrame(frame: Uint8Array): Uint8Array {
  // A member of a oneof is written even if it is empty.
  return encode((writer) => writer.uint32(tags.frame).bytes(frame));
}

function writeContext(writer: BinaryWriter, context: NodeCallContext): void {
  writeText(writer, tags.executionId, context.executionId);
  writeText(writer, tags.node, context.node);
  writeText(writer, tags.placementId, context.placementId);
  writeText(writer, tags.tenantId, context.tenantId);
  if (context.attempt !== 0) writer.uint32(tags.attempt).uint32(context.attempt);
  writeText(writer, tags.idempotencyId, context.idempotencyId);
  const deadlineMs = Math.trunc(context.deadlineMs);
  if (deadlineMs !== 0) writer.uint32(tags.deadlineMs).int64(deadlineMs);
  writeText(writer, tags.configJson, context.configJson);
  for (const [name, value] of Object.entries(context.secrets ?? {})) {
    writer.uint32(tags.secrets).fork();
    writer.uint32(entryTags.key).string(name).uint32(entryTags.value).string(value).join();
  }
  writeText(writer, tags.resumedPauseId, context.resumedPauseId);
  writeText(writer, tags.resumedBy, context.resumedBy);
  writeText(writer, tags.traceparent, context.traceparent);
  if (context.binding) writeBinding(writer, context.binding);
  writeText(writer, tags.packageName, context.packageName);
  writeText(writer, tags.packageVersion, context.packageVersion);
}

function writeBinding(writer: BinaryWriter, binding: NodeBinding): void {
  writer.uint32(tags.binding).fork();
  writeText(writer, tags.instance, binding.instance);
  writeText(writer, tags.inputMessage, binding.inputMessage);
  writeText(writer, tags.outputMessage, binding.outputMessage);
  if (binding.descriptorSet.length > 0) writer.uint32(tags.descriptorSet).bytes(binding.descriptorSet);
  writer.join();
}

/** proto3 does not write empty fields. */
function writeText(writer: BinaryWriter, tag: number, text: string | undefined): void {
  if (text !== undefined && text !== '') writer.uint32(tag).string(text);
}
