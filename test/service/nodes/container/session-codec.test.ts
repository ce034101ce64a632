import assert from 'node:assert/strict';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import {
  CallContextSchema,
  InvokeRequestSchema,
  NodeMessageSchema,
  SessionRequestSchema,
  SessionResponseSchema,
} from '../../../../service/nodes/container/protocol.ts';
import {
  decodeCalls,
  decodeReplies,
  encodeCalls,
  encodeReplies,
  type SessionReply,
} from '../../../../service/nodes/container/session-codec.ts';

const id = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
const plain = { noNullPrototype: true };
const bytes = fc.uint8Array({ maxLength: 300 });

/** Field 99, of a later version of the protocol. */
const unknownField = Uint8Array.of(0x9a, 0x06, 0x02, 0x01, 0x02);

describe('session messages', () => {
  const calls = fc.array(fc.record({ id, input: fc.option(bytes, { nil: undefined }) }, plain));
  const requestOf = (input: Uint8Array) =>
    create(InvokeRequestSchema, { context: create(CallContextSchema, { node: 'Echo' }), input });
  const asMessage = (list: { id: bigint; input: Uint8Array | undefined }[]): Uint8Array =>
    toBinary(
      SessionRequestSchema,
      create(SessionRequestSchema, {
        calls: list.map(({ id, input }) => ({
          id,
          kind: input
            ? { case: 'invoke' as const, value: requestOf(input) }
            : { case: 'cancel' as const, value: true },
        })),
      }),
    );
  const asCalls = (list: { id: bigint; input: Uint8Array | undefined }[]) =>
    list.map(({ id, input }) => ({
      id,
      request: input && toBinary(InvokeRequestSchema, requestOf(input)),
    }));

  it('encode and decode calls according to the protocol', () => {
    fc.assert(
      fc.property(calls, (list) => {
        assert.deepEqual(encodeCalls(asCalls(list)), asMessage(list));
        assert.deepEqual(decodeCalls(asMessage(list)), asCalls(list));
      }),
    );
  });

  const body = fc.oneof(
    bytes.map((value) =>
      toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind: { case: 'output', value } })),
    ),
    fc.record({ code: fc.nat({ max: 2 ** 31 }), message: fc.string({ unit: 'grapheme' }) }, plain),
  );
  const replies = fc.array(fc.record({ id, body }, plain));
  const asResponse = (list: SessionReply[]) =>
    create(SessionResponseSchema, {
      replies: list.map(({ id, body: said }) => ({
        id,
        kind:
          said instanceof Uint8Array
            ? { case: 'message' as const, value: fromBinary(NodeMessageSchema, said) }
            : { case: 'failed' as const, value: said },
      })),
    });

  it('encode and decode replies according to the protocol', () => {
    fc.assert(
      fc.property(replies, (list) => {
        assert.deepEqual(fromBinary(SessionResponseSchema, encodeReplies(list)), asResponse(list));
        assert.deepEqual(decodeReplies(toBinary(SessionResponseSchema, asResponse(list))), list);
      }),
    );
  });

  it('ignore fields of later protocol versions', () => {
    const call = { id: 5n, input: Uint8Array.of(1) };
    assert.deepEqual(
      decodeCalls(Uint8Array.of(...unknownField, ...asMessage([call]), ...unknownField)),
      asCalls([call]),
    );
    // The field is inside the entry, whose length takes one byte.
    const [tag, length, ...entry] = encodeReplies([{ id: 5n, body: { code: 3, message: 'no' } }]);
    const longer = Uint8Array.of(tag!, length! + unknownField.length, ...unknownField, ...entry);
    assert.deepEqual(decodeReplies(longer), [{ id: 5n, body: { code: 3, message: 'no' } }]);
  });

  it('are rejected if truncated', () => {
    const message = asMessage([{ id: 5n, input: new Uint8Array(50) }]);
    for (const length of [1, 3, message.length - 1]) {
      assert.throws(() => decodeCalls(message.subarray(0, length)), `${length} bytes`);
    }
  });
});
