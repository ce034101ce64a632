import assert from 'node:assert/strict';
import { LargeNumber } from '../../../../specs/large-number.ts';
import { parseStrictJson } from '../../../../service/messages/json/parse-strict-json.ts';
import { resolveLargeNumbers } from '../../../../service/messages/json/resolve-large-numbers.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';
import { kitchenSink } from '../../../support/kitchen-sink.ts';

describe('numbers beyond 2^53', () => {
  const exact: [source: string, value: bigint | string][] = [
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9007199254740993.000', 9007199254740993n],
    ['9.007199254740993e15', 9007199254740993n],
    ['0.9007199254740993E+16', 9007199254740993n],
    ['90071992547409930e-1', 9007199254740993n],
    ['1e19', 10_000_000_000_000_000_000n],
    ['9007199254740993.5', '9007199254740993.5'],
    ['1e300', '1e300'],
    ['1e999999999', '1e999999999'],
  ];
  for (const [source, value] of exact) {
    it(`convert ${source} without loss`, () => assert.equal(new LargeNumber(source).exact(), value));
  }

  it('keep their source when parsed, unlike smaller numbers', () => {
    const parsed = parseStrictJson('{"a":[9007199254740992,9007199254740991,1.5e3],"b":"9007199254740993"}');
    assert.ok(parsed.ok && parsed.exact);
    assert.deepEqual(parsed.value, {
      a: [new LargeNumber('9007199254740992'), 9007199254740991, 1500],
      b: '9007199254740993',
    });
    const plain = parseStrictJson('{"a":[9007199254740991,0.12345678901234567]}');
    assert.ok(plain.ok && !plain.exact);
  });

  it('are rounded for every type except 64-bit integers', async () => {
    const registry = await compiledRegistry(kitchenSink);
    const big = '9007199254740993';
    const parsed = parseStrictJson(
      `{"aDouble":${big},"anInt64":${big},"anInt32":${big},"child":${big},"numbers":${big},"unknown":[${big}],
        "value":${big},"list":[${big}],"any":${big},"empty":{"x":${big}},"aString":[${big}],"timestamp":{"a":${big}},
        "byUint64":{"1":${big}},"bySint64":{"1":${big}},"int64Value":${big},"int32Value":${big},"colors":[${big}],
        "children":[{"any":{"@type":"x/google.protobuf.UInt64Value","value":${big},"more":${big}}},
                    {"any":{"@type":"x/nope","value":${big}}}]}`,
    );
    assert.ok(parsed.ok);
    const rounded = 9007199254740992;
    const kept = 9007199254740993n;
    assert.deepEqual(resolveLargeNumbers(registry.getMessage('test.v1.Sink')!, parsed.value, registry), {
      aDouble: rounded,
      anInt64: kept,
      anInt32: rounded,
      child: rounded,
      numbers: kept,
      unknown: [rounded],
      value: rounded,
      list: [rounded],
      any: rounded,
      empty: { x: rounded },
      aString: [rounded],
      timestamp: { a: rounded },
      byUint64: { '1': kept },
      bySint64: { '1': rounded },
      int64Value: kept,
      int32Value: rounded,
      colors: [rounded],
      children: [
        { any: { '@type': 'x/google.protobuf.UInt64Value', value: kept, more: rounded } },
        { any: { '@type': 'x/nope', value: rounded } },
      ],
    });
  });
});
