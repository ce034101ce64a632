import assert from 'node:assert/strict';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { limits } from '../../../../specs/limits.ts';
import { systemClock } from '../../../../service/clock.ts';
import {
  createMessageWorkers,
  type MessageWorkers,
} from '../../../../service/messages/convert/message-workers.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { hasTooManyValues } from '../../../../service/messages/wire/count-values.ts';
import { FairQueue } from '../../../../service/work/fair-queue.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';

const source = `
syntax = "proto3";
package many.v1;
import "google/protobuf/any.proto";
message Empty {}
message Many {
  repeated Empty empty = 1;
  repeated bool flags = 2;
  repeated int64 longs = 3;
  repeated double doubles = 4;
  map<string, Many> by_name = 5;
  google.protobuf.Any any = 6;
  repeated string texts = 7;
  Many child = 8;
}`;
const typeName = 'many.v1.Many';
const most = limits.messageValues;

/** The same bytes many times. */
function times(count: number, unit: readonly number[]): Buffer {
  return Buffer.alloc(count * unit.length, Buffer.from(unit));
}

/** A length-delimited field. */
function field(number: number, content: Uint8Array): Buffer {
  return Buffer.from(new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(content).finish());
}

const url = Buffer.from(`type.googleapis.com/${typeName}`);
const anyOf = (content: Uint8Array): Buffer => field(6, Buffer.concat([field(1, url), field(2, content)]));
const entryOf = (content: Uint8Array): Buffer =>
  field(5, Buffer.concat([field(1, Buffer.from('key')), field(2, content)]));

/** Bytes with `values` values, beside those of what contains them. */
const shapes: Record<string, { of: (values: number) => Buffer; beside?: number }> = {
  'empty messages': { of: (values) => times(values, [0x0a, 0]) },
  strings: { of: (values) => times(values, [0x3a, 1, 65]) },
  'numbers one by one': { of: (values) => times(values, [0x10, 1]) },
  'unknown fields': { of: (values) => times(values, [0xf8, 0x07, 1]) },
  'packed booleans, four in a value': { of: (values) => field(2, times(4 * values, [1])), beside: 1 },
  'packed integers of 64 bits': { of: (values) => field(3, times(values, [0x80, 1])), beside: 1 },
  'messages in a message': { of: (values) => field(8, times(values, [0x0a, 0])), beside: 1 },
  'messages in a map': { of: (values) => entryOf(times(values, [0x0a, 0])), beside: 1 },
  'messages in an Any': { of: (values) => anyOf(times(values, [0x0a, 0])), beside: 3 },
};

describe('the values of an encoded message', () => {
  let registry: MessageRegistry;
  let workers: MessageWorkers;
  before(async () => {
    registry = await compiledRegistry({ 'many.proto': source });
    workers = createMessageWorkers({ queue: new FairQueue({ clock: systemClock }), inlineMicros: 0 });
  });
  after(() => workers.close());

  for (const [name, { of, beside = 0 }] of Object.entries(shapes)) {
    it(`are limited to 1,000,000: ${name}`, () => {
      const type = registry.getMessage(typeName)!;
      assert.equal(hasTooManyValues(type, of(most - beside), registry), false);
      assert.equal(hasTooManyValues(type, of(most - beside + 1), registry), true);
    });
  }

  it('may be as many doubles as 16 MiB can hold', () => {
    const type = registry.getMessage(typeName)!;
    assert.equal(hasTooManyValues(type, field(4, times(2_097_000, [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]))), false);
  });

  // Decoding them took more memory than a thread may have, at once, which ended the process.
  for (const [name, bytes] of [
    ['empty messages', times(8_300_000, [0x0a, 0])],
    ['packed booleans', field(2, times(16_700_000, [1]))],
  ] as const) {
    it(`are rejected on a thread without exhausting its memory: ${name}`, async () => {
      const task = { tenantId: 'acme', registry, typeName, input: bytes };
      const problem = 'the message has more than 1000000 values';
      for (const [kind, start] of [
        ['bytes-to-json', `cannot read the bytes as ${typeName}: `],
        ['check-bytes', `payload does not match the node's current input schema: `],
      ] as const) {
        const converted = await workers.convert(kind, task);
        assert.equal(converted.ok ? '' : converted.error.message, start + problem);
      }
    });
  }
});
