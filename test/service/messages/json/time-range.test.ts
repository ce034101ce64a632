import assert from 'node:assert/strict';
import { create, toBinary } from '@bufbuild/protobuf';
import { anyPack, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { jsonFromBytes } from '../../../../service/messages/json/message-to-json.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';

const source = `
syntax = "proto3";
package test.v1;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/timestamp.proto";

message Times {
  google.protobuf.Duration one_wait = 1;
  repeated google.protobuf.Duration waits = 2;
  map<string, google.protobuf.Timestamp> named = 3;
  oneof pick { google.protobuf.Timestamp picked = 4; string text = 5; }
  Times inner = 6;
  google.protobuf.Any any = 7;
}
`;

describe('times in messages', () => {
  let registry: MessageRegistry;
  before(async () => {
    registry = await compiledRegistry(source);
  });

  const read = (fields: Record<string, unknown>) => {
    const type = registry.getMessage('test.v1.Times');
    assert.ok(type);
    return jsonFromBytes(registry, 'test.v1.Times', toBinary(type, create(type, fields)));
  };
  const duration = (seconds: bigint, nanos: number) => create(DurationSchema, { seconds, nanos });
  const timestamp = (seconds: bigint, nanos: number) => create(TimestampSchema, { seconds, nanos });

  it('are converted to JSON up to the limits of their ranges', () => {
    const fields = {
      waits: [
        duration(315_576_000_000n, 999_999_999),
        duration(-315_576_000_000n, -999_999_999),
        duration(0n, -1),
      ],
      named: { first: timestamp(-62_135_596_800n, 0), last: timestamp(253_402_300_799n, 999_999_999) },
    };
    const json = read(fields);
    assert.ok(json.ok, json.ok ? '' : json.error.message);
    assert.deepEqual(JSON.parse(json.value), {
      waits: ['315576000000.999999999s', '-315576000000.999999999s', '-0.000000001s'],
      named: { first: '0001-01-01T00:00:00Z', last: '9999-12-31T23:59:59.999999999Z' },
    });
  });

  const nanos = (name: string, from: number, got: number) =>
    `the nanos of a google.protobuf.${name} are from ${from} to 999999999, got ${got}`;
  const cases: [path: string, fields: () => Record<string, unknown>, text: string][] = [
    [
      'oneWait',
      () => ({ oneWait: duration(0n, 1_000_000_000) }),
      nanos('Duration', -999_999_999, 1_000_000_000),
    ],
    [
      'waits[1]',
      () => ({ waits: [duration(1n, 0), duration(0n, -2_000_000_000)] }),
      nanos('Duration', -999_999_999, -2_000_000_000),
    ],
    [
      'oneWait',
      () => ({ oneWait: duration(1n, -1) }),
      'seconds and nanos of a google.protobuf.Duration have the same sign, got 1 and -1',
    ],
    [
      'oneWait',
      () => ({ oneWait: duration(315_576_000_001n, 0) }),
      'a google.protobuf.Duration has at most 315576000000 seconds, got 315576000001',
    ],
    ['named["a b"]', () => ({ named: { 'a b': timestamp(0n, -1) } }), nanos('Timestamp', 0, -1)],
    [
      'inner.picked',
      () => ({ inner: { pick: { case: 'picked', value: timestamp(0n, 1_000_000_000) } } }),
      nanos('Timestamp', 0, 1_000_000_000),
    ],
    [
      'inner.picked',
      () => ({ inner: { pick: { case: 'picked', value: timestamp(253_402_300_800n, 0) } } }),
      'a google.protobuf.Timestamp lies in the years 1 to 9999, got 253402300800 seconds since 1970',
    ],
    [
      'any',
      () => ({ any: anyPack(DurationSchema, duration(0n, 1_000_000_000)) }),
      nanos('Duration', -999_999_999, 1_000_000_000),
    ],
  ];
  for (const [path, fields, text] of cases) {
    it(`are rejected beyond their ranges with the path of the field: ${path}: ${text}`, () => {
      const json = read(fields());
      assert.deepEqual(
        json.ok ? json.value : json.error.message,
        `cannot read the bytes as test.v1.Times: ${path}: ${text}`,
      );
    });
  }
});
