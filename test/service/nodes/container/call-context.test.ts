import assert from 'node:assert/strict';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { encodeInvocation, type NodeCallContext } from '../../../../service/nodes/container/call-context.ts';
import { CallContextSchema, InvokeRequestSchema } from '../../../../service/nodes/container/protocol.ts';

describe('the request of a call', () => {
  const text = fc.string({ unit: 'binary' });
  const bytes = fc.uint8Array({ maxLength: 300 });
  const context: fc.Arbitrary<NodeCallContext> = fc.record(
    {
      executionId: text,
      node: text,
      packageName: text,
      packageVersion: text,
      placementId: text,
      tenantId: text,
      attempt: fc.nat(),
      idempotencyId: text,
      deadlineMs: fc.maxSafeNat(),
      configJson: text,
      secrets: fc.dictionary(text, text),
      resumedPauseId: text,
      resumedBy: text,
      traceparent: text,
      binding: fc.record(
        { instance: text, inputMessage: text, outputMessage: text, descriptorSet: bytes },
        { requiredKeys: ['instance', 'descriptorSet'] },
      ),
    },
    {
      requiredKeys: [
        'executionId',
        'node',
        'packageName',
        'packageVersion',
        'tenantId',
        'attempt',
        'idempotencyId',
        'deadlineMs',
        'traceparent',
      ],
    },
  );

  /** Encoded by the schemas. */
  const expected = (
    {
      deadlineMs,
      binding,
      placementId = '',
      configJson = '',
      resumedPauseId = '',
      resumedBy = '',
      ...rest
    }: NodeCallContext,
    input: Uint8Array,
  ): Uint8Array =>
    toBinary(
      InvokeRequestSchema,
      create(InvokeRequestSchema, {
        context: create(CallContextSchema, {
          ...rest,
          placementId,
          configJson,
          resumedPauseId,
          resumedBy,
          deadlineMs: BigInt(deadlineMs),
          ...(binding && { binding }),
        }),
        input,
      }),
    );

  it('matches the encoding by the schemas byte for byte', () => {
    fc.assert(
      fc.property(context, bytes, (given, input) => {
        assert.deepEqual(encodeInvocation({ context: given, input }), expected(given, input));
      }),
      { seed: 20261122, numRuns: 300 },
    );
  });

  it('is complete regardless of the size of earlier requests', () => {
    const given: NodeCallContext = {
      executionId: 'e',
      node: 'n',
      packageName: 'acme/p',
      packageVersion: '1.0.0',
      tenantId: 't',
      attempt: 1,
      idempotencyId: 'e:0',
      deadlineMs: 1.5,
      traceparent: '',
    };
    for (const length of [0, 1, 127, 128, 65_536, 3_000_000, 5]) {
      const input = new Uint8Array(length).fill(length);
      const { input: read, context: own } = fromBinary(
        InvokeRequestSchema,
        encodeInvocation({ context: given, input }),
      );
      assert.deepEqual(read, input);
      assert.equal(own?.idempotencyId, 'e:0');
      assert.equal(own.deadlineMs, 1n);
    }
  });

  it('contains no bytes of an earlier request that failed to encode', () => {
    const names = { node: 'n', packageName: 'acme/p', packageVersion: '1.0.0' };
    const good = { ...names, executionId: 'e', tenantId: 't', attempt: 1, idempotencyId: 'e:0' };
    const given = { ...good, deadlineMs: 1, traceparent: '' };
    const before = encodeInvocation({ context: given, input: new Uint8Array() });
    assert.throws(() => encodeInvocation({ context: { ...given, attempt: -1 }, input: new Uint8Array() }));
    assert.deepEqual(encodeInvocation({ context: given, input: new Uint8Array() }), before);
  });
});
