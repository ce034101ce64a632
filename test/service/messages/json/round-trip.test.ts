import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diagnoseJson } from '../../../../service/messages/json/diagnose-json.ts';
import { bytesFromJson } from '../../../../service/messages/json/message-from-json.ts';
import { jsonFromBytes } from '../../../../service/messages/json/message-to-json.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { checkPayload } from '../../../../service/messages/wire/check-payload.ts';
import { arbitraryBytes } from '../../../support/arbitrary-message.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';
import { kitchenSink } from '../../../support/kitchen-sink.ts';
import { randomCases, itSlow } from '../../../support/fast-run.ts';

const typeName = 'test.v1.Sink';
let registry: MessageRegistry;

before(async () => {
  registry = await compiledRegistry(kitchenSink);
});

describe('any message', () => {
  itSlow('converts to JSON and back to the same bytes', () => {
    const property = fc.property(arbitraryBytes(registry.getMessage(typeName)!), (bytes) => {
      const json = jsonFromBytes(registry, typeName, bytes);
      assert.ok(json.ok, json.ok ? '' : json.error.message);
      const back = bytesFromJson(registry, typeName, json.value);
      assert.ok(back.ok, back.ok ? '' : back.error.message);
      assert.equal(Buffer.from(back.value).toString('hex'), Buffer.from(bytes).toString('hex'), json.value);
    });
    fc.assert(property, { numRuns: randomCases(100) });
  });

  it('passes the payload check', () => {
    const property = fc.property(arbitraryBytes(registry.getMessage(typeName)!), (bytes) => {
      assert.deepEqual(checkPayload(registry, typeName, bytes), { ok: true, value: bytes });
    });
    fc.assert(property, { numRuns: randomCases(100) });
  });
});

describe('any bytes', () => {
  it('decode if they pass the payload check, and never crash it', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .tuple(arbitraryBytes(registry.getMessage(typeName)!), fc.nat(), fc.integer({ min: 0, max: 255 }))
        .filter(([bytes]) => bytes.length > 0)
        .map(([bytes, at, byte]) => bytes.with(at % bytes.length, byte)),
    );
    const property = fc.property(noise, (bytes) => {
      if (!checkPayload(registry, typeName, bytes).ok) return;
      const json = jsonFromBytes(registry, typeName, bytes);
      // The remaining values have no JSON form: a date beyond 9999, an infinite Value.
      if (!json.ok)
        assert.match(
          json.error.message,
          /google\.protobuf\.|NaN or Infinity|must have a value|type registry/,
        );
    });
    fc.assert(property, { numRuns: randomCases(500) });
  });
});

/** JSON that almost matches: valid and invalid values at valid and invalid keys. */
function nearlyFitting(): fc.Arbitrary<Record<string, unknown>> {
  const type = registry.getMessage(typeName)!;
  const keys = type.fields.flatMap((field) => [field.name, field.jsonName]).concat('nope');
  const values = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1,
      1.5,
      7,
      3e9,
      1e10,
      5e18,
      1e39,
      1e300,
      '',
      '0',
      '-1',
      '1.5',
      '01',
      ' 1',
      '0x1',
    ),
    fc.constantFrom<unknown>(
      '1e3',
      'NaN',
      '-Infinity',
      'infinity',
      'RED',
      'red',
      'AA==',
      '*',
      '-_',
      'true',
      '99999999999999999999',
    ),
    fc.constantFrom<unknown>(
      '2026-02-28T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-01-01',
      '1s',
      '1.s',
      '-1.5s',
      'a.bC',
      'a_b',
    ),
    fc.constantFrom<unknown>(
      [],
      {},
      [null],
      [1],
      ['RED', 1],
      [9],
      { a: 1 },
      { '1': 'a', '01': 'b' },
      { true: 'RED' },
      { x: null },
    ),
  );
  const { node } = fc.letrec<{ node: Record<string, unknown> }>((tie) => ({
    node: fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        values,
        tie('node'),
        fc.array(tie('node'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', '1', 'true', '__proto__'), tie('node'), { maxKeys: 2 }),
      ),
      { maxKeys: 3, noNullPrototype: true },
    ),
  }));
  return node;
}

describe('diagnosing JSON', () => {
  it('reports a problem exactly when the JSON is rejected', () => {
    const type = registry.getMessage(typeName)!;
    let refused = 0;
    let accepted = 0;
    const property = fc.property(nearlyFitting(), (value) => {
      const text = JSON.stringify(value);
      const read = bytesFromJson(registry, typeName, text);
      const explained = diagnoseJson(type, JSON.parse(text), registry);
      assert.equal(
        read.ok,
        explained === undefined,
        read.ok ? JSON.stringify(explained) : read.error.message,
      );
      if (read.ok) accepted += 1;
      else refused += 1;
    });
    fc.assert(property, { numRuns: 3_000 });
    assert.ok(refused > 300 && accepted > 300, `${refused} refused, ${accepted} accepted`);
  });
});
