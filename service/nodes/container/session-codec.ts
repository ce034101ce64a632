import { BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { createMessageEncoder, tagOf } from './encode-message.ts';
import {
  CallSchema,
  ReplySchema,
  SessionRequestSchema,
  SessionResponseSchema,
  StatusSchema,
} from './protocol.ts';

// The envelopes of a session are read and written by hand: what they carry is encoded once, whichever way it goes, and what one
// call carries cannot spoil the others of its message. A test holds them against the schemas of node_container.proto.

/** A call on its way to the container, or the word that nobody waits for it any more. */
export interface SessionCall {
  /** Unique on its stream. */
  id: bigint;
  /** Serialized InvokeRequest; undefined cancels. */
  request: Uint8Array | undefined;
}

/** A part of the answer to one call. */
export interface SessionReply {
  id: bigint;
  /** Serialized NodeMessage, or what Invoke would have ended with. */
  body: Uint8Array | SessionStatus;
}

export interface SessionStatus {
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
 * A call that is neither begun nor cancelled, of a later version of the protocol, reads as cancelled: it ends.
 *
 * @throws Error when the bytes are no SessionRequest
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
 * A reply without a body reads as an empty message.
 *
 * @throws Error when the bytes are no SessionResponse
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

/** Both messages of a session are one repeated field. */
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

/** The fields of a message by their tags; one whose value the caller does not read is skipped. */
function* readFields(bytes: Uint8Array): Generator<{ tag: number; reader: BinaryReader }, undefined> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const valueStart = reader.pos;
    yield { tag: (number << 3) | type, reader };
    if (reader.pos === valueStart) reader.skip(type, number);
  }
}
