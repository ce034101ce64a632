import assert from 'node:assert/strict';
import { fromBinary, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { bytesFromJson } from '../../../../service/messages/json/message-from-json.ts';
import { jsonFromBytes } from '../../../../service/messages/json/message-to-json.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { checkPayload } from '../../../../service/messages/wire/check-payload.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';
import { kitchenSink } from '../../../support/kitchen-sink.ts';

let registry: MessageRegistry;

before(async () => {
  registry = await compiledRegistry({
    'sink.proto': kitchenSink,
    'colors.proto': `syntax = "proto3"; package test.v1; import "sink.proto"; import "google/protobuf/any.proto";
      message Colors {
        Color color = 1;
        repeated Color colors = 2;
        map<bool, Color> by_bool = 3;
        oneof pick { Color pick_color = 4; Colors pick_child = 5; }
        optional Color maybe_color = 6;
        repeated Colors children = 7;
        map<string, Colors> by_string = 8;
      }
      message Holder { google.protobuf.Any any = 1; }`,
    'closed.proto': `syntax = "proto2"; package closed;
      enum Level { LOW = 1; HIGH = 2; }
      message A { optional Level level = 1; required string name = 2; optional group Part = 3 { optional int32 x = 1; } }`,
  });
});

const sinkType = 'test.v1.Sink';

/** Converts JSON to bytes and back. */
function accept(json: string | Uint8Array, typeName = sinkType): string {
  const bytes = bytesFromJson(registry, typeName, json);
  assert.ok(bytes.ok, bytes.ok ? '' : bytes.error.message);
  const back = jsonFromBytes(registry, typeName, bytes.value);
  assert.ok(back.ok, back.ok ? '' : back.error.message);
  return back.value;
}

function refuse(json: string | Uint8Array, typeName = sinkType): string {
  const bytes = bytesFromJson(registry, typeName, json);
  assert.ok(!bytes.ok, `accepted ${String(json)}`);
  return bytes.error.message;
}

/** The detail after `invalid JSON for test.v1.Sink: `. */
function detail(json: string): string {
  const message = refuse(json);
  const prefix = 'invalid JSON for test.v1.Sink: ';
  assert.ok(message.startsWith(prefix), message);
  return message.slice(prefix.length);
}

describe('reading scalars from JSON', () => {
  const accepted: [input: string, output: string][] = [
    ['{"anInt32":2147483647}', '{"anInt32":2147483647}'],
    ['{"anInt32":-2147483648}', '{"anInt32":-2147483648}'],
    ['{"anInt32":"12"}', '{"anInt32":12}'],
    ['{"anInt32":1.2e1}', '{"anInt32":12}'],
    ['{"aUint32":4294967295}', '{"aUint32":4294967295}'],
    ['{"aSint32":-2147483648}', '{"aSint32":-2147483648}'],
    ['{"aFixed32":4294967295}', '{"aFixed32":4294967295}'],
    ['{"aSfixed32":-2147483648}', '{"aSfixed32":-2147483648}'],
    ['{"anInt64":"9223372036854775807"}', '{"anInt64":"9223372036854775807"}'],
    ['{"anInt64":"-9223372036854775808"}', '{"anInt64":"-9223372036854775808"}'],
    ['{"anInt64":9223372036854775807}', '{"anInt64":"9223372036854775807"}'],
    ['{"anInt64":-9223372036854775808}', '{"anInt64":"-9223372036854775808"}'],
    ['{"anInt64":9007199254740993}', '{"anInt64":"9007199254740993"}'],
    ['{"anInt64":9007199254740993.0}', '{"anInt64":"9007199254740993"}'],
    ['{"anInt64":9.007199254740993e15}', '{"anInt64":"9007199254740993"}'],
    ['{"anInt64":1e18}', '{"anInt64":"1000000000000000000"}'],
    ['{"aUint64":18446744073709551615}', '{"aUint64":"18446744073709551615"}'],
    ['{"aSint64":-9223372036854775808}', '{"aSint64":"-9223372036854775808"}'],
    ['{"aFixed64":18446744073709551615}', '{"aFixed64":"18446744073709551615"}'],
    ['{"aSfixed64":-9223372036854775807}', '{"aSfixed64":"-9223372036854775807"}'],
    [
      '{"numbers":[9007199254740993,"9007199254740995",1]}',
      '{"numbers":["9007199254740993","9007199254740995","1"]}',
    ],
    [
      '{"byUint64":{"18446744073709551615":9007199254740993}}',
      '{"byUint64":{"18446744073709551615":"9007199254740993"}}',
    ],
    ['{"int64Value":9007199254740993}', '{"int64Value":"9007199254740993"}'],
    ['{"uint64Value":18446744073709551615}', '{"uint64Value":"18446744073709551615"}'],
    [
      '{"child":{"children":[{"anInt64":9007199254740993}]}}',
      '{"child":{"children":[{"anInt64":"9007199254740993"}]}}',
    ],
    ['{"aDouble":9007199254740993}', '{"aDouble":9007199254740992}'],
    ['{"aDouble":123456789012345678901234567890}', '{"aDouble":1.2345678901234568e+29}'],
    ['{"aDouble":1.7976931348623157e308}', '{"aDouble":1.7976931348623157e+308}'],
    ['{"aDouble":5e-324}', '{"aDouble":5e-324}'],
    ['{"aDouble":-0.0}', '{"aDouble":-0}'],
    ['{"aDouble":"NaN","aFloat":"Infinity"}', '{"aDouble":"NaN","aFloat":"Infinity"}'],
    ['{"aFloat":"-Infinity"}', '{"aFloat":"-Infinity"}'],
    ['{"aDouble":"1.5e3"}', '{"aDouble":1500}'],
    ['{"aFloat":3.4028234663852886e38}', '{"aFloat":3.4028235e+38}'],
    ['{"aFloat":3.4028235677973360e38}', '{"aFloat":3.4028235e+38}'],
    ['{"doubles":[1,-0.0,"NaN"]}', '{"doubles":[1,-0,"NaN"]}'],
    ['{"aBool":true}', '{"aBool":true}'],
    ['{"aString":"grüße 👩‍👩‍👧 \\ud83d\\ude00 \\u0000"}', '{"aString":"grüße 👩‍👩‍👧 😀 \\u0000"}'],
    ['{"aBytes":"+/8="}', '{"aBytes":"+/8="}'],
    ['{"aBytes":"-_8"}', '{"aBytes":"+/8="}'],
    ['{"aBytes":"+/8"}', '{"aBytes":"+/8="}'],
    ['{"an_int32":1,"by_string":{}}', '{"anInt32":1}'],
    ['{"anInt32":0,"aString":"","aBool":false,"child":null,"numbers":null,"byString":null}', '{}'],
    [
      '{"maybeInt32":0,"maybeString":"","maybeBool":false,"maybeBytes":""}',
      '{"maybeInt32":0,"maybeString":"","maybeBool":false,"maybeBytes":""}',
    ],
    ['{"maybeInt32":null}', '{}'],
    ['{"maybeChild":{}}', '{"maybeChild":{}}'],
    ['{"maybeColor":0}', '{"maybeColor":"COLOR_UNSPECIFIED"}'],
    [' \n{ } ', '{}'],
  ];
  for (const [input, output] of accepted) {
    it(`accepts ${input}`, () => assert.equal(accept(input), output));
  }

  const refused: [input: string, detail: RegExp][] = [
    ['{"anInt32":2147483648}', /^anInt32: expected a signed 32-bit integer, got 2147483648$/],
    ['{"anInt32":1.5}', /^anInt32: .* got 1\.5$/],
    ['{"anInt32":""}', /^anInt32: .* got ""$/],
    ['{"anInt32":true}', /^anInt32: .* got true$/],
    ['{"aUint32":-1}', /^aUint32: expected an unsigned 32-bit integer, got -1$/],
    [
      '{"anInt64":9223372036854775808}',
      /^anInt64: expected a signed 64-bit integer, got 9223372036854775808$/,
    ],
    ['{"anInt64":"9223372036854775808"}', /^anInt64: /],
    ['{"anInt64":1.5}', /^anInt64: .* got 1\.5$/],
    ['{"anInt64":9007199254740993.5}', /^anInt64: |out of range/],
    ['{"aUint64":-1}', /^aUint64: .*unsigned 64-bit integer, got -1$/],
    ['{"aUint64":18446744073709551616}', /^aUint64: .* got 18446744073709551616$/],
    ['{"numbers":[1,9223372036854775808]}', /^numbers\[1\]: /],
    ['{"aDouble":"1,5"}', /^aDouble: expected a number \(double\), got "1,5"$/],
    ['{"aDouble":"nan"}', /^aDouble: /],
    ['{"aDouble":1e999}', /^the number 1e999 is out of range$/],
    ['{"aFloat":3.4028235677973367e38}', /^aFloat: /],
    ['{"aFloat":1e39}', /^aFloat: expected a number \(float\), got 1e\+39$/],
    ['{"aBool":1}', /^aBool: expected true or false, got 1$/],
    ['{"aBool":"true"}', /^aBool: expected true or false, got "true"$/],
    ['{"aString":9007199254740993}', /^aString: expected a string, got 9007199254740992$/],
    ['{"aString":"\\ud800"}', /an unpaired surrogate/],
    ['{"aBytes":"*"}', /^aBytes: expected base64 text, got "\*"$/],
    ['{"aBytes":[1]}', /^aBytes: expected base64 text, got an array$/],
  ];
  for (const [input, expected] of refused) {
    it(`rejects ${input}`, () => assert.match(detail(input), expected));
  }
});

describe('reading enums from JSON', () => {
  it('accepts names and declared numbers', () => {
    assert.equal(
      accept('{"color":"RED","colors":[0,2,-1,"GREEN"],"byBool":{"true":1}}'),
      '{"color":"RED","colors":["COLOR_UNSPECIFIED","GREEN","NEGATIVE","GREEN"],"byBool":{"true":"RED"}}',
    );
  });

  const text = (field: string, ordinal: number, message = 'Colors'): string =>
    `invalid value for test.v1.${message}: field ${field} carries enum ordinal ${ordinal}, ` +
    'which names no declared value of enum test.v1.Color';
  const ordinals: [input: string, message: string][] = [
    ['{"color":7}', text('color', 7)],
    ['{"colors":[1,99]}', text('colors', 99)],
    ['{"byBool":{"false":-2}}', text('by_bool', -2)],
    ['{"pickColor":3}', text('pick_color', 3)],
    ['{"maybeColor":4}', text('maybe_color', 4)],
    ['{"children":[{},{"children":[{"color":5}]}]}', text('color', 5)],
    ['{"byString":{"a":{"color":6}}}', text('color', 6)],
    ['{"pickChild":{"color":6}}', text('color', 6)],
    ['{"color":10000000000}', text('color', 10_000_000_000)],
  ];
  for (const [input, message] of ordinals) {
    it(`rejects the undeclared number in ${input}`, () => {
      const read = bytesFromJson(registry, 'test.v1.Colors', input);
      assert.deepEqual(read, { ok: false, error: { code: 'undeclared_ordinal', message } });
    });
  }

  it('rejects undeclared numbers in an Any and in messages with times', () => {
    const any = '{"any":{"@type":"type.googleapis.com/test.v1.Colors","pickColor":8}}';
    assert.equal(refuse(any, 'test.v1.Holder'), text('pick_color', 8));
    assert.equal(refuse('{"children":[{"color":8}]}'), text('color', 8, 'Sink'));
  });

  it('rejects undeclared numbers of closed enums with the same error', () => {
    assert.equal(
      refuse('{"name":"x","level":9}', 'closed.A'),
      'invalid value for closed.A: field level carries enum ordinal 9, which names no declared value of enum closed.Level',
    );
  });

  it('lists the values of the enum for an unknown name', () => {
    assert.equal(
      detail('{"colors":["red"]}'),
      'colors[0]: expected a value of enum test.v1.Color (COLOR_UNSPECIFIED, RED, GREEN, NEGATIVE), got "red"',
    );
    assert.match(detail('{"color":1.5}'), /^color: expected a value of enum/);
  });
});

describe('reading maps from JSON', () => {
  it('accepts the extreme values of every kind of key', () => {
    const json =
      '{"byInt32":{"-2147483648":"a"},"byInt64":{"-9223372036854775808":"b"},"byUint32":{"4294967295":"c"},' +
      '"byUint64":{"18446744073709551615":"1"},"bySint32":{"-1":"AA=="},"bySint64":{"9223372036854775807":1.5},' +
      '"byFixed32":{"0":true},"byFixed64":{"18446744073709551615":"d"},"bySfixed32":{"-5":"e"},' +
      '"bySfixed64":{"-6":"f"},"byBool":{"true":"RED","false":"GREEN"}}';
    assert.deepEqual(JSON.parse(accept(json)), JSON.parse(json));
  });

  it('accepts keys that are properties of Object.prototype', () => {
    const json = '{"byString":{"__proto__":{"anInt32":1},"constructor":{"anInt32":2},"toString":{}}}';
    assert.equal(accept(json), json);
    assert.equal(({} as { anInt32?: number }).anInt32, undefined);
  });

  const refused: [input: string, detail: RegExp][] = [
    ['{"byInt32":{"a":"x"}}', /^byInt32\["a"\]: invalid map key: expected a signed 32-bit integer/],
    ['{"byUint64":{"-1":1}}', /^byUint64\["-1"\]: invalid map key/],
    ['{"byBool":{"1":1}}', /^byBool\["1"\]: invalid map key: expected "true" or "false"/],
    ['{"byInt32":{"1":"a","01":"b"}}', /^byInt32\["01"\]: duplicate key 1$/],
    ['{"byInt64":{"1":"a","+1":"b"}}', /^byInt64/],
    ['{"byString":{"a":null}}', /^byString\["a"\]: a map value must not be null$/],
    ['{"byString":{"a.b\\"c":{"nope":1}}}', /^byString\["a\.b\\"c"\]: unknown field "nope"/],
    ['{"byString":[]}', /^byString: expected an object, got an array$/],
  ];
  for (const [input, expected] of refused) {
    it(`rejects ${input}`, () => assert.match(detail(input), expected));
  }
});

describe('reading messages from JSON strictly', () => {
  it('reports the path of an unknown field and lists the known fields', () => {
    assert.match(
      detail('{"children":[{},{"child":{"an_int":1}}]}'),
      /^children\[1\]\.child: unknown field "an_int" \(test\.v1\.Sink has aDouble, aFloat, .* \(\d+ in total\)\)$/,
    );
  });

  it('rejects a duplicate key at any depth and in any escaping', () => {
    assert.equal(detail('{"aString":"a","aString":"b"}'), 'duplicate key "aString"');
    assert.equal(detail('{"aString":"a","aStr\\u0069ng":"b"}'), 'duplicate key "aString"');
    assert.equal(detail('{"struct":{"a":[{"b":1,"b":1}]}}'), 'duplicate key "b"');
    assert.equal(detail('{"aString":"\\\\","aString":""}'), 'duplicate key "aString"');
    assert.equal(detail('{"an_int32":1,"anInt32":1}'), '"an_int32" and "anInt32" are the same field');
  });

  it('accepts the same key in different objects and within a string', () => {
    accept('{"child":{"aString":"\\"aString\\":1"},"aString":"{\\"a\\":1,\\"a\\":1}","texts":["a","a"]}');
  });

  it('rejects two members of a oneof', () => {
    assert.equal(
      detail('{"child":{"pickNumber":1,"pickText":"a"}}'),
      'child: "pickNumber" and "pickText" are members of the oneof pick: set one of them',
    );
  });

  it('preserves the selected member of a oneof, including default values', () => {
    assert.equal(accept('{"pickNumber":0}'), '{"pickNumber":0}');
    assert.equal(accept('{"pickText":""}'), '{"pickText":""}');
    assert.equal(accept('{"pickColor":0}'), '{"pickColor":"COLOR_UNSPECIFIED"}');
    assert.equal(accept('{"pickChild":{}}'), '{"pickChild":{}}');
    assert.equal(accept('{"pickNumber":null,"pickText":"a"}'), '{"pickText":"a"}');
  });

  it('accepts fields named like properties of Object.prototype', () => {
    const json = '{"constructor":"a","__proto__":"b","toString":"c"}';
    assert.equal(accept(json), json);
  });

  it('rejects input that is not an object, not JSON or not UTF-8', () => {
    assert.equal(detail('[1]'), 'expected an object, got an array');
    assert.equal(detail('null'), 'expected an object, got null');
    assert.equal(detail('{"child":3}'), 'child: expected an object, got 3');
    assert.equal(detail('{"children":{}}'), 'children: expected an array, got an object');
    assert.equal(detail('{"children":[null]}'), 'children[0]: an array element must not be null');
    assert.match(detail(''), /Unexpected end of JSON input/);
    assert.match(detail('{"a":1,}'), /position 7|JSON/);
    assert.match(detail("{'a':1}"), /JSON/);
    assert.equal(
      refuse(new Uint8Array([0x7b, 0xff, 0x7d])),
      'invalid JSON for test.v1.Sink: the body is not UTF-8 text',
    );
  });

  it('accepts UTF-8 bytes', () => {
    assert.equal(accept(Buffer.from('{"aString":"é"}')), '{"aString":"é"}');
    assert.equal(accept(Buffer.from('\ufeff{"aString":"é"}')), '{"aString":"é"}');
  });

  const nestings: [place: string, open: string, close: string][] = [
    ['a field', '{"child":', '}'],
    ['a list', '{"children":[', ']}'],
    ['a map', '{"byString":{"key":', '}}'],
    ['a oneof', '{"pickChild":', '}'],
  ];
  for (const [place, open, close] of nestings) {
    const nested = (depth: number): string => open.repeat(depth - 1) + '{}' + close.repeat(depth - 1);

    it(`converts messages nested 60, 99 and 100 levels deep in ${place} both ways`, () => {
      for (const depth of [60, 99, 100]) assert.equal(accept(nested(depth)), nested(depth));
    });

    it(`rejects messages nested 101 levels deep in ${place}`, () => {
      assert.match(detail(nested(101)), /messages nest deeper than 100 levels$/);
    });
  }

  const listsIn: [place: string, typeName: string, wrap: (lists: string) => string, most: number][] = [
    ['a Struct', 'google.protobuf.Struct', (lists) => `{"a":${lists}}`, 49],
    ['a Value', 'google.protobuf.Value', (lists) => lists, 50],
    ['a field of a message', 'test.v1.Sink', (lists) => `{"struct":{"a":${lists}}}`, 49],
  ];
  for (const [place, typeName, wrap, most] of listsIn) {
    it(`accepts nested lists in ${place} only if their bytes are accepted as well`, () => {
      for (const count of [most - 1, most, most + 1, 98]) {
        const json = wrap('['.repeat(count) + ']'.repeat(count));
        const read = bytesFromJson(registry, typeName, json);
        if (count > most) {
          assert.match(
            read.ok ? '' : read.error.message,
            /messages nest deeper than 100 levels$/,
            `${count} lists`,
          );
        } else {
          assert.ok(read.ok, `${count} lists: ${read.ok ? '' : read.error.message}`);
          const checked = checkPayload(registry, typeName, read.value);
          assert.ok(checked.ok, `${count} lists: ${checked.ok ? '' : checked.error.message}`);
        }
      }
      const type = registry.getMessage(typeName);
      assert.ok(type);
      const deep = toBinary(
        type,
        fromJson(type, JSON.parse(wrap('['.repeat(most + 1) + ']'.repeat(most + 1))) as JsonValue),
      );
      assert.equal(checkPayload(registry, typeName, deep).ok, false, 'the limit of JSON is that of bytes');
    });
  }

  it('rejects deep nesting without a stack overflow', () => {
    for (const depth of [321, 100_000, 1_000_000]) {
      assert.match(
        detail(`{"struct":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`),
        /the JSON nests deeper than 320 levels|stack/,
      );
      assert.match(
        detail('{"value":'.repeat(depth) + '1' + '}'.repeat(depth)),
        /the JSON nests deeper than 320 levels|stack/,
      );
    }
  });

  it('truncates long input in error messages', () => {
    const long = 'x'.repeat(1_000_000);
    assert.ok(detail(`{"anInt32":"${long}"}`).length < 200);
    assert.ok(detail(`{"${long}":1}`).length < 1100);
    assert.ok(detail(`{"aBool":"${'😀'.repeat(100)}"}`).isWellFormed());
  });

  it('rejects a message without a required field', () => {
    assert.equal(
      refuse('{"level":"LOW"}', 'closed.A'),
      'invalid JSON for closed.A: the required field closed.A.name is missing',
    );
    assert.equal(accept('{"name":"n","part":{"x":1}}', 'closed.A'), '{"name":"n","part":{"x":1}}');
  });

  it('throws if the registry lacks the type', () => {
    assert.throws(() => bytesFromJson(registry, 'test.v1.None', '{}'), /no message test\.v1\.None/);
  });
});

describe('reading well-known types from JSON', () => {
  const accepted: [input: string, output?: string][] = [
    ['{"timestamp":"2026-11-21T09:00:00Z"}'],
    ['{"timestamp":"2026-11-21T09:00:00.123456789Z"}'],
    ['{"timestamp":"2026-11-21T10:00:00+01:00"}', '{"timestamp":"2026-11-21T09:00:00Z"}'],
    ['{"timestamp":"0001-01-01T00:00:00Z"}'],
    ['{"timestamp":"9999-12-31T23:59:59.999999999Z"}'],
    ['{"timestamp":"2024-02-29T00:00:00Z"}'],
    ['{"duration":"-1.500s"}'],
    ['{"duration":"-0.000000001s"}'],
    ['{"duration":"315576000000s"}'],
    ['{"empty":{}}'],
    ['{"mask":"user.displayName,photo"}'],
    ['{"struct":{"a":[1,"b",null,true,{"__proto__":{"c":-0}}]}}'],
    ['{"struct":{"a":9007199254740993}}', '{"struct":{"a":9007199254740992}}'],
    ['{"value":null}'],
    ['{"value":[1,{"a":null}]}'],
    ['{"values":{"a":null,"b":12345678901234567890}}', '{"values":{"a":null,"b":12345678901234567000}}'],
    ['{"list":[1,[2,[]]]}'],
    ['{"null":null}', '{}'],
    [
      '{"boolValue":false,"bytesValue":"","doubleValue":0,"floatValue":0,"int32Value":0,"int64Value":"0","stringValue":"","uint32Value":0,"uint64Value":"0"}',
    ],
    ['{"any":{"@type":"type.googleapis.com/test.v1.Sink","aString":"x"}}'],
    ['{"any":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":9007199254740993}}'],
    ['{"any":{"@type":"type.googleapis.com/test.v1.Sink","anInt64":9007199254740993}}'],
    ['{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}}'],
    ['{"any":{}}'],
  ];
  for (const [input, output = input] of accepted) {
    it(`accepts ${input}`, () => {
      const normal = (text: string): unknown =>
        JSON.parse(text.replaceAll('9007199254740993', '"9007199254740993"'));
      assert.deepEqual(
        normal(accept(input).replaceAll('"9007199254740993"', '9007199254740993')),
        normal(output),
      );
    });
  }

  const refused: [input: string, detail: RegExp][] = [
    [
      '{"timestamp":"2026-02-29T00:00:00Z"}',
      /^timestamp: "2026-02-29T00:00:00Z" is not a valid google\.protobuf\.Timestamp: the date does not exist$/,
    ],
    ['{"timestamp":"2026-04-31T00:00:00Z"}', /the date does not exist/],
    ['{"timestamp":"2026-00-10T00:00:00Z"}', /the date does not exist/],
    ['{"timestamp":"2026-01-10T24:00:00Z"}', /the hour is out of range/],
    ['{"timestamp":"2026-01-10"}', /^timestamp: .*invalid RFC 3339/],
    ['{"timestamp":1700000000}', /^timestamp: 1700000000 is no/],
    [
      '{"children":[{"duration":"5seconds"}]}',
      /^children\[0\]\.duration: "5seconds" is not a valid .* for example "1\.5s"$/,
    ],
    ['{"duration":"1.0000000001s"}', /at most nine decimals/],
    ['{"duration":"315576000001s"}', /^duration: /],
    ['{"mask":"a_b"}', /^mask: .*lowerCamelCase/],
    ['{"struct":[]}', /^struct: /],
    ['{"list":{}}', /^list: /],
    ['{"int64Value":"x"}', /^int64Value: /],
    ['{"any":{"@type":"type.googleapis.com/nope.Nope"}}', /^any: .*not in the type registry/],
    ['{"any":{"a":1}}', /^any: .*"@type"/],
    ['{"empty":{"a":1}}', /^empty: unknown field "a" \(google\.protobuf\.Empty has no fields\)$/],
  ];
  for (const [input, expected] of refused) {
    it(`rejects ${input}`, () => assert.match(detail(input), expected));
  }

  it('accepts a well-known type as the input message', () => {
    assert.equal(accept('{"a":1}', 'google.protobuf.Struct'), '{"a":1}');
    assert.equal(accept('"1s"', 'google.protobuf.Duration'), '"1s"');
    assert.match(refuse('"2026-02-30T00:00:00Z"', 'google.protobuf.Timestamp'), /the date does not exist/);
    assert.equal(accept('12345678901234567890', 'google.protobuf.UInt64Value'), '"12345678901234567890"');
  });
});

describe('writing JSON', () => {
  it('prints undeclared enum numbers as numbers', () => {
    const sink = registry.getMessage(sinkType)!;
    const bytes = new Uint8Array([0x80, 0x01, 0x2a]);
    assert.deepEqual(toJson(sink, fromBinary(sink, bytes)), { color: 42 });
    assert.deepEqual(jsonFromBytes(registry, sinkType, bytes), { ok: true, value: '{"color":42}' });
  });

  it('omits unknown fields', () => {
    assert.deepEqual(jsonFromBytes(registry, sinkType, new Uint8Array([0xf8, 0x3f, 1])), {
      ok: true,
      value: '{}',
    });
  });

  it('converts messages nested 100 levels deep and rejects 101', () => {
    const child = 17;
    const nested = (depth: number): Uint8Array => {
      let bytes = new Uint8Array();
      for (let level = 1; level < depth; level += 1) {
        bytes = new BinaryWriter().tag(child, WireType.LengthDelimited).bytes(bytes).finish();
      }
      return bytes;
    };
    const json = jsonFromBytes(registry, sinkType, nested(100));
    assert.deepEqual(json, { ok: true, value: `${'{"child":'.repeat(99)}{}${'}'.repeat(99)}` });
    const tooDeep = jsonFromBytes(registry, sinkType, nested(101));
    assert.ok(!tooDeep.ok);
    assert.equal(tooDeep.error.code, 'undecodable');
    assert.match(tooDeep.error.message, /maximum recursion depth of 100 reached$/);
  });

  it('reports why bytes are not a valid message', () => {
    const read = jsonFromBytes(registry, sinkType, new Uint8Array([0x72, 5, 1]));
    assert.ok(!read.ok);
    assert.equal(read.error.code, 'undecodable');
    assert.match(read.error.message, /^cannot read the bytes as test\.v1\.Sink: /);
  });

  it('reports why a message cannot be converted to JSON', () => {
    // An Any of an unknown type.
    const any = Buffer.from('\x0a\x03a/b');
    const read = jsonFromBytes(
      registry,
      sinkType,
      Buffer.concat([Buffer.from([0xb2, 0x04, any.length]), any]),
    );
    assert.ok(!read.ok);
    assert.match(read.error.message, /not in the type registry/);
  });
});
