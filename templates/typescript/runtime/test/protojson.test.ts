import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";

import type { MessageType } from "../src/runtime/codec/codec.ts";
import { listOf, mapOf } from "../src/runtime/codec/containers.ts";
import { enumOf } from "../src/runtime/codec/enums.ts";
import { fromJson } from "../src/runtime/codec/from-json.ts";
import type { JsonValue } from "../src/runtime/codec/json.ts";
import * as mapKey from "../src/runtime/codec/map-keys.ts";
import { messageOf } from "../src/runtime/codec/message.ts";
import { oneofOf } from "../src/runtime/codec/oneof.ts";
import { optional } from "../src/runtime/codec/optional.ts";
import * as scalar from "../src/runtime/codec/scalars.ts";
import { toJson } from "../src/runtime/codec/to-json.ts";
import {
  int64ValueType,
  listValueType,
  structType,
} from "../src/runtime/codec/well-known-types.ts";
import * as wellKnown from "../src/runtime/codec/well-known.ts";
import { ValueError } from "../src/runtime/errors.ts";

/**
 * A message with all types of fields, to which tests assign valid and invalid
 * values.
 */
type Loose = Record<
  string,
  JsonValue | bigint | Uint8Array | undefined | object
>;

const colorType = {
  name: "test.Color",
  values: {
    COLOR_UNSPECIFIED: 0,
    COLOR_RED: 1,
    COLOR_CRIMSON: 1,
    COLOR_SEA: -7,
  },
} as const;

const kitchenType: MessageType<Loose> = {
  name: "test.Kitchen",
  fields: () => [
    { name: "flag", type: scalar.bool },
    { name: "text", type: scalar.string },
    { name: "raw_bytes", json: "rawBytes", type: scalar.bytes },
    { name: "small", type: scalar.int32 },
    { name: "large", type: scalar.int64 },
    { name: "positive", type: scalar.uint64 },
    { name: "ratio", type: scalar.double },
    { name: "single", type: scalar.float },
    { name: "color", type: enumOf(colorType) },
    { name: "note", type: optional(scalar.string) },
    { name: "counts", type: mapOf(mapKey.string, scalar.int64) },
    {
      name: "by_id",
      json: "byId",
      type: mapOf(mapKey.int64, scalar.string),
    },
    { name: "children", type: listOf(messageOf(kitchenType)) },
    { name: "child", type: messageOf(kitchenType) },
    { name: "card", type: scalar.string, oneof: oneofOf("payment") },
    {
      name: "cash_cents",
      json: "cashCents",
      type: scalar.int64,
      oneof: oneofOf("payment"),
    },
    { name: "nothing", type: wellKnown.nullValue, oneof: oneofOf("payment") },
    { name: "at", type: wellKnown.timestamp },
    { name: "took", type: wellKnown.duration },
    { name: "mask", type: wellKnown.fieldMask },
    { name: "fields", type: wellKnown.struct },
    { name: "anything", type: wellKnown.value },
    { name: "list", type: wellKnown.listValue },
    { name: "wrapped", type: wellKnown.int64Value },
    { name: "any", type: wellKnown.any },
    { name: "none", type: wellKnown.empty },
    { name: "__proto__", property: "__proto___", type: scalar.string },
    {
      name: "constructor",
      property: "constructor_",
      type: optional(scalar.string),
    },
    { name: "valueOf", type: optional(scalar.string) },
  ],
};

/** Decodes one field of the message. */
function read(json: string): Loose {
  return fromJson(kitchenType, json);
}

/** Decodes a message and encodes it again. */
function again(json: string): string {
  return toJson(kitchenType, read(json));
}

function refuses(json: string, message: RegExp): void {
  assert.throws(
    () => read(json),
    (error) => error instanceof ValueError && message.test(error.message),
  );
}

describe("reading ProtoJSON", () => {
  it("sets absent fields without presence to their default value", () => {
    const message = read("{}");
    assert.deepEqual(Object.entries(message).slice(0, 11), [
      ["flag", false],
      ["text", ""],
      ["rawBytes", new Uint8Array()],
      ["small", 0],
      ["large", 0n],
      ["positive", 0n],
      ["ratio", 0],
      ["single", 0],
      ["color", "COLOR_UNSPECIFIED"],
      ["counts", {}],
      ["byId", {}],
    ]);
    assert.deepEqual(message["children"], []);
  });

  it("omits absent and null fields with presence", () => {
    const message = read('{"note": null, "child": null, "wrapped": null}');
    for (const name of [
      "note",
      "child",
      "payment",
      "at",
      "wrapped",
      "anything",
    ])
      assert.ok(!Object.hasOwn(message, name), name);
    assert.equal(read('{"note": ""}')["note"], "");
  });

  it("keeps every bit of 64-bit integers, in strings and in numbers", () => {
    for (const json of ["9007199254740993", '"9007199254740993"'])
      assert.equal(read(`{"large": ${json}}`)["large"], 9007199254740993n);
    assert.equal(
      read('{"large": -9223372036854775808}')["large"],
      -9223372036854775808n,
    );
    assert.equal(
      read('{"positive": "18446744073709551615"}')["positive"],
      18446744073709551615n,
    );
    assert.equal(read('{"large": 1e3}')["large"], 1000n);
  });

  it("parses long integers among strings, escapes and nested values", () => {
    const json = String.raw`{ "text": "\"1234567890123456789\\", "counts": {"a\n": 1234567890123456789, "__proto__": 1}, "children": [ {"large": -1234567890123456789 } , {} ], "ratio": 1.5e300 }`;
    const message = read(json);
    assert.equal(message["text"], '"1234567890123456789\\');
    assert.deepEqual(Object.entries(message["counts"] as object), [
      ["a\n", 1234567890123456789n],
      ["__proto__", 1n],
    ]);
    const [child] = message["children"] as Record<string, unknown>[];
    assert.equal(child?.["large"], -1234567890123456789n);
    assert.equal(message["ratio"], 1.5e300);
  });

  it("parses long fractions as fast as short ones", (test) => {
    const { mock } = test.mock.method(JSON, "parse");
    const text = "[0.1234567890123456,-12.345678901234567]";
    const list = fromJson(listValueType, text);
    assert.deepEqual(list, [0.1234567890123456, -12.345678901234567]);
    assert.equal(mock.callCount(), 1);
    assert.equal(
      fromJson(int64ValueType, "1234567890123456789").toString(),
      "1234567890123456789",
    );
  });

  it("parses long integers after white space and in well-known types", () => {
    const long = "1234567890123456789";
    const spaced = `{\n  "by_id" : { "7":\t"${long}" },\n  "large" :\r\n  ${long} ,"ratio":0.${long}}`;
    const message = read(spaced);
    assert.deepEqual(message["byId"], { "7": long });
    assert.equal(message["large"], BigInt(long));
    assert.equal(message["ratio"], 0.12345678901234568);
    assert.equal(fromJson(int64ValueType, long), BigInt(long));
    assert.equal(fromJson(int64ValueType, ` -${long}`), -BigInt(long));
  });

  it("rejects integers that were rounded to a double", () => {
    refuses('{"large": 1e17}', /large: .*too large to be exact/);
    assert.throws(() => toJson(kitchenType, { large: 2 ** 60 }), ValueError);
  });

  it("rejects objects whose content would be lost", () => {
    for (const [lost, kind] of [
      [Promise.resolve({ small: 1 }), "promise"],
      [new Map([["small", 1]]), "map"],
      [new URLSearchParams("small=1"), "urlsearchparams"],
    ] as const) {
      const message = `expected a plain object for test.Kitchen, got ${kind}`;
      assert.throws(() => toJson(kitchenType, lost as object), {
        name: "ValueError",
        message: `test.Kitchen: ${message}`,
      });
      assert.throws(() => toJson(kitchenType, { child: lost as object }), {
        name: "ValueError",
        message: `test.Kitchen: child: ${message}`,
      });
    }
    const counts: object = new Map([["a", 1n]]);
    assert.throws(() => toJson(kitchenType, { counts }), {
      name: "ValueError",
      message: /counts: expected a plain object, got map/,
    });
    const free = { at: new Date() as never };
    assert.throws(() => toJson(structType, free), {
      name: "ValueError",
      message: /at: date is not a JSON value/,
    });
  });

  it("accepts both proto and JSON names", () => {
    assert.deepEqual(
      read('{"raw_bytes": "AQI="}')["rawBytes"],
      Uint8Array.of(1, 2),
    );
    assert.deepEqual(read('{"cash_cents": 5}')["payment"], {
      case: "cashCents",
      value: 5n,
    });
  });

  it("ignores unknown fields unless configured to reject them", () => {
    assert.equal(again('{"future": {"a": [1]}}'), "{}");
    assert.throws(
      () =>
        fromJson(kitchenType, '{"child": {"txet": 1}}', {
          unknownFields: "reject",
        }),
      /test\.Kitchen: child\.txet: unknown field "txet"/,
    );
  });

  it("reports the message and path of an invalid value", () => {
    refuses(
      '{"children": [{}, {"small": 2147483648}]}',
      /test\.Kitchen: children\[1\]\.small: out of range for 32 bits/,
    );
    refuses('{"counts": {"a": "x"}}', /counts\.a: not a number/);
    refuses('{"flag": "true"}', /flag: expected a boolean, got string/);
    refuses('{"small": 1.5}', /small: not an integer/);
    refuses('{"positive": -1}', /positive: out of range/);
    refuses('{"single": 1e39}', /single: out of range/);
    refuses('{"rawBytes": "*"}', /rawBytes: /);
    refuses('{"children": {}}', /children: expected a list, got object/);
    refuses(
      '{"children": [null]}',
      /children\[0\]: expected a plain object .* got null/,
    );
    refuses('{"card": "a", "cashCents": 1}', /more than one field of payment/);
    refuses("[]", /expected a plain object for test\.Kitchen, got array/);
    refuses("{", /not JSON/);
  });

  it("rejects duplicate fields", () => {
    for (const [text, message] of [
      ['{"small":1,"small":2}', /"small" is set twice/],
      ['{"rawBytes":"AQ==","raw_bytes":"AQ=="}', /rawBytes: also set as "raw_/],
      ['{"counts":{"a":1,"a":1}}', /"a" is set twice/],
    ] as const)
      assert.throws(() => fromJson(kitchenType, text), message);
  });

  it("reports excessive nesting", () => {
    refuses(
      '{"child":'.repeat(100_000) + "{}" + "}".repeat(100_000),
      /nested too deeply|not JSON/,
    );
  });
});

describe("writing ProtoJSON", () => {
  it("omits absent fields and default values without presence", () => {
    assert.equal(
      toJson(kitchenType, {
        flag: false,
        text: "",
        rawBytes: new Uint8Array(),
        small: 0,
        large: 0n,
        color: "COLOR_UNSPECIFIED",
        counts: {},
        children: [],
        note: undefined,
      }),
      "{}",
    );
  });

  it("encodes default values of fields with presence", () => {
    assert.equal(
      toJson(kitchenType, { note: "", wrapped: 0n }),
      '{"note":"","wrapped":"0"}',
    );
  });

  it("accepts safe integer numbers for 64-bit integers", () => {
    assert.equal(toJson(kitchenType, { large: 12 }), '{"large":"12"}');
  });

  it("preserves NaN, infinities and -0", () => {
    for (const json of [
      '{"ratio":"NaN"}',
      '{"ratio":"Infinity"}',
      '{"ratio":"-Infinity"}',
      '{"ratio":"-0"}',
      '{"single":0.1}',
    ])
      assert.equal(again(json), json);
  });

  it("rejects properties that the message does not have", () => {
    assert.throws(() => toJson(kitchenType, { child: { txet: "a" } }), {
      name: "ValueError",
      message: "test.Kitchen: child.txet: unknown property",
    });
    assert.equal(toJson(kitchenType, { txet: undefined }), "{}");
  });

  it("encodes properties of class instances, including getters", () => {
    class Child {
      readonly #text = "a";
      get text(): string {
        return this.#text;
      }
    }
    const json = '{"child":{"text":"a"}}';
    assert.equal(toJson(kitchenType, { child: new Child() }), json);
  });

  it("encodes exactly one field of a oneof", () => {
    assert.equal(
      toJson(kitchenType, { payment: { case: "cashCents", value: 5n } }),
      '{"cashCents":"5"}',
    );
    assert.equal(again('{"nothing":null}'), '{"nothing":null}');
    assert.throws(
      () => toJson(kitchenType, { payment: { case: "cheque", value: 1 } }),
      /payment: expected .* card, cashCents, nothing/,
    );
    const extra = { case: "cashCents", value: 5n, tip: 1n };
    assert.throws(
      () => toJson(kitchenType, { payment: extra }),
      /payment\.tip: unknown property/,
    );
  });

  it("validates map keys", () => {
    assert.equal(
      toJson(kitchenType, { byId: { "-5": "a" } }),
      '{"byId":{"-5":"a"}}',
    );
    assert.throws(
      () => toJson(kitchenType, { byId: { five: "a" } }),
      /byId\.five: not a number/,
    );
  });

  it("rejects values of the wrong type", () => {
    assert.throws(
      () => toJson(kitchenType, { rawBytes: "AQI=" }),
      /rawBytes: expected a Uint8Array/,
    );
    assert.throws(
      () => toJson(kitchenType, { children: "x" }),
      /children: expected a list/,
    );
    assert.throws(
      () => toJson(kitchenType, { fields: { a: () => 1 } }),
      /fields\.a: function is not a JSON value/,
    );
  });

  it("reports cyclic values", () => {
    const loop: Loose = {};
    loop["child"] = loop;
    assert.throws(() => toJson(kitchenType, loop), /nested too deeply/);
  });
});

describe("a round trip", () => {
  it("preserves unknown enum names and numbers, and names known numbers", () => {
    assert.equal(
      again('{"color":"COLOR_YET_TO_COME"}'),
      '{"color":"COLOR_YET_TO_COME"}',
    );
    assert.equal(again('{"color":42}'), '{"color":42}');
    assert.equal(again('{"color":1}'), '{"color":"COLOR_RED"}');
    assert.equal(again('{"color":-7}'), '{"color":"COLOR_SEA"}');
    assert.equal(again('{"color":0}'), "{}");
    // An alias is encoded as the first name of its number.
    assert.equal(again('{"color":"COLOR_CRIMSON"}'), '{"color":"COLOR_RED"}');
  });

  it("preserves bytes of every length in both alphabets", () => {
    const lengths = [...Array(20).keys(), 8_191, 8_192, 8_193, 100_000];
    for (const length of lengths) {
      const bytes = Uint8Array.from({ length }, (_, index) => 255 - index * 7);
      const json = JSON.stringify({
        rawBytes: Buffer.from(bytes).toString("base64"),
      });
      assert.equal(again(json), length === 0 ? "{}" : json);
      const urlSafe = JSON.stringify({
        rawBytes: Buffer.from(bytes).toString("base64url"),
      });
      assert.deepEqual(read(urlSafe)["rawBytes"], bytes);
    }
  });

  it("preserves keys that are properties of Object.prototype", () => {
    const json =
      '{"counts":{"__proto__":"1","constructor":"2"},"__proto__":"a","constructor":"b","valueOf":"c"}';
    const message = read(json);
    assert.equal(Object.getPrototypeOf(message), Object.prototype);
    assert.equal(message["__proto___"], "a");
    assert.equal(message["constructor_"], "b");
    assert.equal(again(json), json);
  });

  it("normalizes timestamps and durations without losing a nanosecond", () => {
    const times = [
      ["2026-01-31T12:00:00.123456789Z", "2026-01-31T12:00:00.123456789Z"],
      ["2026-01-31T12:00:00.10Z", "2026-01-31T12:00:00.100Z"],
      ["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00Z"],
      ["2026-01-31T23:30:00-01:30", "2026-02-01T01:00:00Z"],
    ];
    for (const [given, canonical] of times)
      assert.equal(
        again(JSON.stringify({ at: given })),
        JSON.stringify({ at: canonical }),
      );
    const spans = [
      ["1.5s", "1.500s"],
      ["-0.000001s", "-0.000001s"],
      ["0s", "0s"],
      ["-0.0s", "0s"],
      ["315576000000s", "315576000000s"],
    ];
    for (const [given, canonical] of spans)
      assert.equal(
        again(JSON.stringify({ took: given })),
        JSON.stringify({ took: canonical }),
      );
    assert.equal(
      toJson(kitchenType, { at: new Date(0) }),
      '{"at":"1970-01-01T00:00:00Z"}',
    );
    const foreign = runInNewContext("new Date(0)") as Date;
    assert.equal(
      toJson(kitchenType, { at: foreign }),
      '{"at":"1970-01-01T00:00:00Z"}',
    );
  });

  it("accepts the longest duration", () => {
    const took = "-315576000000.999999999s";
    assert.equal(again(JSON.stringify({ took })), JSON.stringify({ took }));
  });

  it("rejects invalid times", () => {
    for (const at of [
      "2026-02-30T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-01-01",
      "0001-01-01T00:00:00+01:00",
      "2026-01-01T24:00:00Z",
      "2026-01-01t00:00:00Z",
      "2026-01-01T00:00:00z",
    ])
      refuses(JSON.stringify({ at }), /at: /);
    for (const took of ["1", "1.5", "315576000001s", "1.0000000001s"])
      refuses(JSON.stringify({ took }), /took: /);
  });

  it("parses a long string of escapes", () => {
    const text = "\n".repeat(4_000_000);
    // Large numbers select the exact reader.
    const json = `{"large":9007199254740993,"text":${JSON.stringify(text)}}`;
    assert.equal(fromJson(kitchenType, json)["text"], text);
  });

  it("preserves arbitrary JSON", () => {
    for (const json of [
      '{"fields":{"a":{"b":[1,null,"c",true]},"__proto__":1}}',
      '{"anything":null}',
      '{"anything":[{"a":null}]}',
      '{"list":[1,[2]]}',
      '{"any":{"@type":"type.example/test.Kitchen","large":"9007199254740993"}}',
      '{"none":{}}',
      '{"mask":"a,b.cD"}',
      '{"wrapped":"9007199254740993"}',
    ])
      assert.equal(again(json), json);
    assert.equal(
      again('{"any":{"@type":"t/test.Kitchen","large":9007199254740993}}'),
      '{"any":{"@type":"t/test.Kitchen","large":"9007199254740993"}}',
    );
  });
});
