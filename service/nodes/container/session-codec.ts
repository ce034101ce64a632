import { BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { createMessageEncoder, tagOf } from './encode-message.ts';
import {
  CallSchema,
  ReplySchema,
  SessionRequestSchema,
  SessionResponseSchema,
  StatusSchema,
} from './protocol.ts';

// The envelopes of a session are encoded and decoded by hand. A request is encoded once for both Session and
// Invoke, and malformed content of one call does not affect the others in the same message. A test compares
// the bytes with the schemas' encoding.

/** A call to a container, or its cancellation. */
export interface SessionCall {
  /** Unique within the stream. */
  id: bigint;
  /** Serialized InvokeRequest; undefined cancels the call. */
  request: Uint8Array | undefined;
}

/** One message of the response to a call. */
export interface SessionReply {
  id: bigint;
  /** Serialized NodeMessage, or the status with which Invoke would have ended. */
  body: Uint8Array | SessionStatus;
}

interface SessionStatus {
  /** gRPC status code */
  code: number;
  message: string;
}

const tags = {
  calls: tagOf(SessionRequestSchema.field.calls),
  callId: tagOf(CallSchema.field.id, WireType.Varint),
  invoke: tagOf(CallSchema.field.invoke),
  cancel: tagOf(CallSchema.field.cancel, WireType.Varint),
  replies: tagOf(SessionResponseSchema.field.replies),
  replyId: tagOf(ReplySchema.field.id, WireType.Varint),
  message: tagOf(ReplySchema.field.message),
  failed: tagOf(ReplySchema.field.failed),
  code: tagOf(StatusSchema.field.code, WireType.Varint),
  text: tagOf(StatusSchema.field.message),
};

const encode = createMessageEncoder();

/** @returns a serialized SessionRequest */
export function encodeCalls(calls: readonly SessionCall[]): Uint8Array {
  return encode((writer) => writeCalls(writer, calls));
}

function writeCalls(writer: BinaryWriter, calls: readonly SessionCall[]): void {
  for (const { id, request } of calls) {
    writer.uint32(tags.calls).fork().uint32(tags.callId).uint64(id);
    if (request) writer.uint32(tags.invoke).bytes(request);
    else writer.uint32(tags.cancel).bool(true);
    writer.join();
  }
}

/** @returns a serialized SessionResponse */
export function encodeReplies(replies: readonly SessionReply[]): Uint8Array {
  return encode((writer) => writeReplies(writer, replies));
}

function writeReplies(writer: BinaryWriter, replies: readonly SessionReply[]): void {
  for (const { id, body } of replies) {
    writer.uint32(tags.replies).fork().uint32(tags.replyId).uint64(id);
    if (body instanceof Uint8Array) writer.uint32(tags.message).bytes(body);
    else {
      writer.uint32(tags.failed).fork().uint32(tags.code).uint32(body.code);
      writer.uint32(tags.text).string(body.message).join();
    }
    writer.join();
  }
}

/**
 * Decodes a SessionRequest. A call of an unknown kind, from a later version of the protocol, is read as a
 * cancellation.
 *
 * @throws Error if the bytes are not a SessionRequest
 */
export function decodeCalls(bytes: Uint8Array): SessionCall[] {
  return readEntries(bytes, tags.calls, (entry) => {
    const call: SessionCall = { id: 0n, request: undefined };
    for (const { tag, reader } of readFields(entry)) {
      if (tag === tags.callId) call.id = BigInt(reader.uint64());
      else if (tag === tags.invoke) call.request = reader.bytes();
    }
    return call;
  });
}

/**
 * Decodes a SessionResponse. A reply without a body is read as an empty message.
 *
 * @throws Error if the bytes are not a SessionResponse
 */
export function decodeReplies(bytes: Uint8Array): SessionReply[] {
  return readEntries(bytes, tags.replies, (entry) => {
    const reply: SessionReply = { id: 0n, body: new Uint8Array() };
    for (const { tag, reader } of readFields(entry)) {
      if (tag === tags.replyId) reply.id = BigInt(reader.uint64());
      else if (tag === tags.message) reply.body = reader.bytes();
      else if (tag === tags.failed) reply.body = decodeStatus(reader.bytes());
    }
    return reply;
  });
}

function decodeStatus(bytes: Uint8Array): SessionStatus {
  const status: SessionStatus = { code: 0, message: '' };
  for (const { tag, reader } of readFields(bytes)) {
    if (tag === tags.code) status.code = reader.uint32();
    else if (tag === tags.text) status.message = reader.string();
  }
  return status;
}

/** Each message of a session consists of one repeated field. */
function readEntries<Entry>(
  bytes: Uint8Array,
  repeated: number,
  decode: (entry: Uint8Array) => Entry,
): Entry[] {
  const entries: Entry[] = [];
  for (const { tag, reader } of readFields(bytes)) {
    if (tag === repeated) entries.push(decode(reader.bytes()));
  }
  return entries;
}

/** Yields the fields of a message. A field that the caller does not read is skipped. */
function* readFields(bytes: Uint8Array): Generator<{ tag: number; reader: BinaryReader }, undefined> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const valueStart = reader.pos;
    yield { tag: (number << 3) | type, reader };
    if (reader.pos === valueStart) reader.skip(type, number);
  }
}
