import assert from 'node:assert/strict';
import { create, fromBinary, toBinary, toJsonString } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { bindingsOf } from '../../../../service/engine/adapters/compile-mapping.ts';
import { WorkMeter } from '../../../../service/engine/work/work-meter.ts';
import { createCelCompiler } from '../../../../service/engine/cel/cel-compiler.ts';
import { messageType } from '../../../../service/messages/message-type.ts';
import { arbitraryMessage } from '../../../support/arbitrary-message.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { kitchenSink } from '../../../support/kitchen-sink.ts';
import { compileBindings, openShop } from './orders.ts';
import type { Shop } from './orders.ts';

let shop: Shop;

before(async () => {
  shop = await openShop();
});

/** Cases of one expression each: field of the report, expression, order, and the result or error. */
function mapsTo(cases: readonly [field: string, expression: string, order: string, given: string][]): void {
  for (const [field, expression, order, given] of cases) {
    it(`${field} = ${expression} of ${order} returns ${given.slice(0, 110)}`, () => {
      assert.equal(shop.map({ [field]: expression }, order), given);
    });
  }
}

describe('mapping fields', () => {
  mapsTo([
    ['text', 'title', '{"title":"a"}', '{"text":"a"}'],
    ['text', 'in:title', '{"title":"a"}', '{"text":"a"}'],
    ['text', 'unitPrice', '{"unitPrice":"1"}', '{"text":"1"}'],
    ['anyValue', 'title', '{"title":"a"}', '{"anyValue":"a"}'],
    ['text', 'customer.address.city', '{"customer":{"address":{"city":"Bern"}}}', '{"text":"Bern"}'],
    ['text', 'customer.address.city', '{}', '{}'],
    ['outer.customer.name', 'title', '{"title":"a"}', '{"outer":{"customer":{"name":"a"}}}'],
    ['outer.customer.name', 'note', '{}', '{}'],
    ['customer', 'customer', '{"customer":{"name":"Ann"}}', '{"customer":{"name":"Ann"}}'],
    ['lines', 'lines', '{"lines":[{"sku":"a"},{}]}', '{"lines":[{"sku":"a"},{}]}'],
    ['words', 'tags', '{"tags":["x",""]}', '{"words":["x",""]}'],
    ['amounts', 'amounts', '{"amounts":{"a":"9007199254740993"}}', '{"amounts":{"a":"9007199254740993"}}'],
    ['data', 'raw', '{"raw":"/w=="}', '{"data":"/w=="}'],
    ['at', 'at', '{"at":"2026-01-02T03:04:05Z"}', '{"at":"2026-01-02T03:04:05Z"}'],
    ['extra', 'extra', '{"extra":{"k":[1,null]}}', '{"extra":{"k":[1,null]}}'],
    ['any_value', 'extra', '{"extra":{"k":true}}', '{"anyValue":{"k":true}}'],
    ['any_value', 'customer', '{"customer":{"name":"Ann"}}', '{"anyValue":{"name":"Ann"}}'],
    ['any_value', 'total', '{"total":"9007199254740993"}', '{"anyValue":"9007199254740993"}'],
    ['list', 'tags', '{"tags":["x"]}', '{"list":["x"]}'],
    ['any_value', 'null', '{}', '{}'],
    ['any_value', `cel("{'k': [null]}")`, '{}', '{"anyValue":{"k":[null]}}'],
    ['text', 'at | suffix("!")', '{"at":"2026-01-02T03:04:05Z"}', '{"text":"\\"2026-01-02T03:04:05Z\\"!"}'],
    ['text', 'cel("string(at)")', '{"at":"2026-01-02T03:04:05Z"}', '{"text":"2026-01-02T03:04:05Z"}'],
    ['extra', 'amounts', '{"amounts":{"a":"5"}}', '{"extra":{"a":5}}'],
  ]);

  it('preserves presence: unset fields stay unset, and fields set to their default stay set', () => {
    assert.equal(shop.map({ note: 'note', rank: 'rank', nick: 'nick', customer: 'customer' }, '{}'), '{}');
    assert.equal(
      shop.map({ note: 'note', rank: 'rank', nick: 'nick' }, '{"note":"","rank":0,"nick":""}'),
      '{"note":"","rank":0,"nick":""}',
    );
    assert.equal(shop.map({ card: 'card', cash: 'cash' }, '{"cash":0}'), '{"cash":0}');
    assert.equal(shop.map({ note: 'null', card: 'cel("null")' }, '{}'), '{}');
  });

  it('returns the same result for any order of the expressions', () => {
    assert.equal(shop.map({ card: '"a"', cash: '1' }, '{}'), '{"cash":1}');
    assert.equal(shop.map({ cash: '1', card: '"a"' }, '{}'), '{"cash":1}');
  });

  it('sets fields inside a copied message without modifying the source', () => {
    const compiled = shop.map(
      { 'customer.name': 'title', customer: 'customer', any_value: 'customer' },
      '{"title":"new","customer":{"name":"old","address":{"city":"Bern"}}}',
    );
    assert.equal(
      compiled,
      '{"customer":{"name":"new","address":{"city":"Bern"}},"anyValue":{"name":"old","address":{"city":"Bern"}}}',
    );
  });
});

describe('numbers', () => {
  mapsTo([
    ['number', 'total', '{"total":"9007199254740993"}', '{"number":"9007199254740993"}'],
    ['big', 'big', '{"big":"18446744073709551615"}', '{"big":"18446744073709551615"}'],
    ['ratio', 'count', '{"count":3}', '{"ratio":3}'],
    ['small', 'weight', '{"weight":3}', '{"small":3}'],
    [
      'small',
      'weight',
      '{"weight":2.5}',
      '2.5 is not an integer, which field "small" (int32) requires: drop the fraction with | cast("int32")',
    ],
    ['small', 'total', '{"total":"2147483648"}', '2147483648 is out of the range of field "small" (int32)'],
    [
      'number',
      'big',
      '{"big":"18446744073709551615"}',
      '18446744073709551615 is out of the range of field "number" (int64)',
    ],
    [
      'small',
      'weight',
      '{"weight":"NaN"}',
      'NaN is not an integer, which field "small" (int32) requires: drop the fraction with | cast("int32")',
    ],
    ['small', '2147483648', '{}', '2147483648 is out of the range of field "small" (int32)'],
    ['single', 'weight', '{"weight":1e300}', '1e+300 is out of the range of field "single" (float)'],
    ['single', 'weight', '{"weight":1e38}', '{"single":9.999999680285692e+37}'],
    ['single', 'weight', '{"weight":"-Infinity"}', '{"single":"-Infinity"}'],
    ['number', 'total | add(1)', '{"total":"9007199254740993"}', '{"number":"9007199254740994"}'],
    ['number', 'cel("total * 2")', '{"total":"4611686018427387000"}', '{"number":"9223372036854774000"}'],
  ]);
});

describe('google.protobuf.Any messages', () => {
  const held = '{"name":"Ann","@type":"type.googleapis.com/shop.v1.Customer"}';
  const order = `{"payload":${held}}`;
  mapsTo([
    ['text', 'payload | suffix("!")', order, JSON.stringify({ text: `${held}!` })],
    ['text', 'payload | upper', order, JSON.stringify({ text: held.toUpperCase() })],
    ['number', 'payload | length', order, `{"number":"${held.length}"}`],
    ['text', '* | slice(0, 11)', order, '{"text":"{\\"payload\\":"}'],
    ['any_value', 'payload', order, `{"anyValue":${held}}`],
    ['extra', `cel("{'k': payload}")`, order, '{"extra":{"k":{"name":"Ann"}}}'],
  ]);

  describe('that have no JSON form', () => {
    const reason =
      'cannot encode message google.protobuf.Any to JSON: "type.googleapis.com/shop.v1.Gone" is not in the type registry';
    const unknown = () => {
      const message = shop.order('{"title":"a"}');
      const any = create(AnySchema, { typeUrl: 'type.googleapis.com/shop.v1.Gone' });
      message.set(message.desc.field.payload!, reflect(AnySchema, any));
      return message;
    };
    for (const [expression, transform] of [
      ['payload | suffix("!")', 'SUFFIX'],
      ['payload | slice(0, 1)', 'SLICE'],
      ['payload | replace("a", "b")', 'REPLACE'],
    ] as const) {
      it(`fail in ${expression}`, () => {
        assert.equal(
          shop.map({ text: expression }, unknown()),
          `transform TRANSFORM_${transform} failed: cannot convert google.protobuf.Any to text: ${reason}`,
        );
      });
    }

    it('are reported by the type of the enclosing message', () => {
      assert.equal(
        shop.map({ text: '* | suffix("!")' }, unknown()),
        `transform TRANSFORM_SUFFIX failed: cannot convert shop.v1.Order to text: ${reason}`,
      );
    });

    it('fail when stored in a JSON field', () => {
      assert.equal(
        shop.map({ any_value: 'payload' }, unknown()),
        `cannot store google.protobuf.Any in field "any_value" (google.protobuf.Value): ${reason}`,
      );
    });

    it('count as empty for transforms that never fail', () => {
      assert.equal(
        shop.map({ text: 'payload | upper', note: '* | trim', number: 'payload | length' }, unknown()),
        '{"note":""}',
      );
    });
  });

  it('are charged for their full content', () => {
    const lines = Array.from({ length: 30_000 }, () => ({}));
    const report = { '@type': 'type.googleapis.com/shop.v1.Report', lines };
    assert.equal(
      shop.map({ number: 'payload | length' }, JSON.stringify({ payload: report })),
      'field "number": the expression is too expensive to evaluate on this input: move such work into a node',
    );
  });
});

describe('enums', () => {
  mapsTo([
    ['level', 'level', '{"level":"HIGH"}', '{"level":"HIGH"}'],
    ['level', 'title', '{"title":"LOW"}', '{"level":"LOW"}'],
    ['level', 'count', '{"count":2}', '{"level":"HIGH"}'],
    ['small', 'level', '{"level":"HIGH"}', '{"small":2}'],
    ['text', 'level | cast("string")', '{"level":"HIGH"}', '{"text":"HIGH"}'],
    [
      'level',
      '"HIHG"',
      '{}',
      '"HIHG" is not a value of enum shop.v1.Level in field "level": use one of LEVEL_UNSPECIFIED, LOW, HIGH',
    ],
    [
      'level',
      'count',
      '{"count":7}',
      '"7" is not a value of enum shop.v1.Level in field "level": use one of LEVEL_UNSPECIFIED, LOW, HIGH',
    ],
    [
      'level',
      'weight',
      '{"weight":1.5}',
      '"1.5" is not a value of enum shop.v1.Level in field "level": use one of LEVEL_UNSPECIFIED, LOW, HIGH',
    ],
    [
      'level',
      'weight',
      '{"weight":"NaN"}',
      '"NaN" is not a value of enum shop.v1.Level in field "level": use one of LEVEL_UNSPECIFIED, LOW, HIGH',
    ],
    [
      'level',
      '1.5',
      '{}',
      '"1.5" is not a value of enum shop.v1.Level in field "level": use one of LEVEL_UNSPECIFIED, LOW, HIGH',
    ],
    [
      'other',
      'level',
      '{}',
      'field pick "level" has type enum "shop.v1.Level", but field "other" has type enum "shop.v1.Other"',
    ],
  ]);
});

describe('CEL in adapters', () => {
  mapsTo([
    ['words', 'cel("lines.map(l, l.sku)")', '{"lines":[{"sku":"a"},{"sku":"b"}]}', '{"words":["a","b"]}'],
    [
      'lines',
      'cel("lines.filter(l, l.count > 1)")',
      '{"lines":[{"count":1},{"count":2}]}',
      '{"lines":[{"count":2}]}',
    ],
    ['customer', `cel("shop.v1.Customer{name: title}")`, '{"title":"a"}', '{"customer":{"name":"a"}}'],
    ['labels', `cel("{'k': title}")`, '{"title":"a"}', '{"labels":{"k":"a"}}'],
    ['any_value', `cel("{'k': [1, total]}")`, '{"total":"2"}', '{"anyValue":{"k":[1,2]}}'],
    ['at', `cel("at + duration('1h')")`, '{"at":"2026-01-02T03:04:05Z"}', '{"at":"2026-01-02T04:04:05Z"}'],
    ['text', `cel("has(note) ? note : 'none'")`, '{}', '{"text":"none"}'],
    ['text', `cel("nick == null ? 'none' : nick")`, '{"nick":"x"}', '{"text":"x"}'],
    ['text', `title | trim | cel("value + '/' + title")`, '{"title":" a"}', '{"text":"a/ a"}'],
    ['text', `cel("value + '!'", "customer.name")`, '{"customer":{"name":"Ann"}}', '{"text":"Ann!"}'],
    ['flag', 'cel("in.total > 1")', '{"total":"2"}', 'CEL parse error: 1:1: reserved identifier'],
    [
      'text',
      'cel("zz")',
      '{}',
      "CEL compilation failed: 1:1: undeclared reference to 'zz': use one of title, total, count, weight, paid, raw, level, customer, lines, tags, amounts, note, ...",
    ],
    ['text', 'cel("1 +")', '{}', "CEL parse error: 1:3: syntax error at '+'"],
    ['text', 'cel("tags[9]")', '{}', 'CEL evaluation failed: index out of range: 9'],
    ['number', 'cel("1 / total")', '{}', 'CEL evaluation failed: division by zero'],
    [
      'number',
      'total | cel("1 / value")',
      '{}',
      'transform TRANSFORM_CEL failed: CEL evaluation failed: division by zero',
    ],
    [
      'number',
      'total | cel("1 / ")',
      '{}',
      "transform TRANSFORM_CEL failed: CEL parse error: 1:3: syntax error at '/'",
    ],
    [
      'number',
      'cel()',
      '{}',
      'transform TRANSFORM_CEL failed: cel requires 1 or 2 args (expression[, srcField])',
    ],
    [
      'text',
      'cel("count")',
      '{}',
      'expression cel("count") has type int64, but field "text" has type string: convert it with | cast("string")',
    ],
  ]);
});

describe('reading JSON fields of messages in CEL', () => {
  const extra = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]));
  const order = JSON.stringify({
    extra: { ...extra, items: [extra] },
    extras: [extra],
    tags: Array.from({ length: 5_000 }, () => 'a'),
  });
  // The evaluator converts a whole Struct on every access.
  const hostile = [
    'tags.all(t, size(extra) > 1)',
    'tags.all(t, extra.k1 == 1.0)',
    "tags.all(t, extra['k1'] == 1.0)",
    'tags.all(t, extras[0].k1 == 1.0)',
    'tags.all(t, extras.exists(one, true))',
    '[extra].all(one, tags.all(t, one.items[0].k1 == 1.0))',
    '[extra].all(one, tags.all(t, one.items.exists(item, true)))',
  ];
  for (const expression of hostile) {
    it(`charges for converting the whole value: ${expression}`, () => {
      const given = shop.map({ flag: `cel("${expression}")` }, order);
      assert.equal(
        given,
        'field "flag": the expression is too expensive to evaluate on this input: move such work into a node',
      );
    });
  }

  it('permits a single read of a large value', () => {
    assert.equal(shop.map({ any_value: 'cel("extra.items[0].k7")' }, order), '{"anyValue":7}');
  });
});

describe('compile errors of mappings', () => {
  mapsTo([
    ['a(b)', 'title', '{}', 'malformed destination field path "a(b)": "(" and ")" are not allowed in it'],
    ['', 'title', '{}', 'malformed destination field path "": write field names separated by dots'],
    [
      'outer.nope',
      'title',
      '{}',
      'destination field path "outer.nope": shop.v1.Outer has no field "nope": it has customer, name',
    ],
    ['text.x', 'title', '{}', 'destination field path "text.x" leads through "text", which is not a message'],
    [
      'lines.sku',
      'title',
      '{}',
      'destination field path "lines.sku" requires matching cardinality: "lines" is repeated: set the whole field, for example with cel(...)',
    ],
    [
      'text',
      'customer.nope',
      '{}',
      'field pick "customer.nope": shop.v1.Customer has no field "nope": it has name, address',
    ],
    ['text', 'title.x', '{}', 'field pick "title.x" leads through "title", which is not a message'],
    [
      'text',
      'lines.sku',
      '{}',
      'field pick "lines.sku" requires matching cardinality: "lines" is repeated: write cel("lines.map(one, one.sku)")',
    ],
    [
      'text',
      'other:title',
      '{}',
      'undeclared source "other" in field pick "other:title": the sources are "in"',
    ],
    [
      'customer',
      '*',
      '{}',
      'field pick "*" maps message type "shop.v1.Order" into differently-typed message field "customer" (type "shop.v1.Customer"): map its fields one by one, or build the message with cel(...)',
    ],
    [
      'text',
      'customer',
      '{}',
      'field pick "customer" (message "shop.v1.Customer") into field "text" (string): cannot convert between a message and a scalar: name a field of the message',
    ],
    [
      'customer',
      'title',
      '{}',
      'field pick "title" (string) into field "customer" (message "shop.v1.Customer"): cannot convert between a message and a scalar: name a field of the message',
    ],
    [
      'text',
      'tags',
      '{}',
      'field pick "tags" (repeated string) into field "text" (string) requires matching cardinality: pick one element, for example cel("tags[0]")',
    ],
    [
      'words',
      'title',
      '{}',
      'field pick "title" (string) into field "words" (repeated string) requires matching cardinality',
    ],
    [
      'text',
      'amounts',
      '{}',
      'field pick "amounts" (map<string, int64>) into field "text" (string) requires matching cardinality',
    ],
    [
      'labels',
      'amounts',
      '{}',
      'field pick "amounts" has type int64, but field "labels" has type string: convert it with | cast("string")',
    ],
    [
      'text',
      'count',
      '{}',
      'field pick "count" has type int32, but field "text" has type string: convert it with | cast("string")',
    ],
    [
      'text',
      'title | nope',
      '{}',
      'unknown transform "nope" at column 9: use one of mult, add, suffix, prefix, cel, replace, regex_replace, slice, split, default, cast, upper, lower, trim, length',
    ],
    [
      'text',
      'title |',
      '{}',
      'malformed expression "title |": expected a transform name at column 8, found the end of the expression',
    ],
  ]);

  it('reports every problem with its field', async () => {
    const registry = await compiledRegistry(kitchenSink);
    const end = { type: messageType(registry, 'test.v1.Sink'), registry };
    const compiled = compileBindings(
      bindingsOf({
        a_string: 'nope',
        a_bool: 'a_bool',
        texts: 'a_string',
        aString: 'a_string',
        'child.nope': 'a_string',
      }),
      { sources: new Map([['e', end]]), target: end },
      createCelCompiler(),
    );
    assert.ok(!compiled.ok);
    assert.deepEqual(
      compiled.problems.map(({ field }) => field),
      ['a_string', 'texts', 'child.nope'],
    );
  });

  it('rejects a field that is mapped under both of its names', () => {
    assert.equal(
      shop.map({ any_value: 'title', anyValue: 'title' }, '{}'),
      'field "any_value" is mapped twice: remove one of the mappings',
    );
  });
});

describe('mappings over several sources', () => {
  const orders = { a: '{"title":"A","total":"1"}', 'b-2': '{"title":"B","total":"2"}' };

  it('pick fields from the edges that expressions name', () => {
    const bindings = [
      { field: 'text', expression: 'a:title | suffix("!")' },
      { field: 'note', expression: '"b-2":title' },
      { field: 'number', expression: 'b-2:total' },
      { field: 'flag', expression: 'cel("a.total == 1")' },
    ];
    assert.equal(shop.compose(bindings, orders), '{"text":"A!","number":"2","flag":true,"note":"B"}');
  });

  it('default to the edge of their binding', () => {
    const bindings = [
      { field: 'text', expression: 'title', edge: 'b-2' },
      { field: 'note', expression: 'cel("title + a.title")', edge: 'b-2' },
    ];
    assert.equal(shop.compose(bindings, orders), '{"text":"B","note":"BA"}');
  });

  it('require a known source', () => {
    assert.equal(
      shop.compose([{ field: 'text', expression: 'title' }], orders),
      'field pick "title" names no source: write <edge>:<field> with one of the edges "a", "b-2"',
    );
    assert.equal(
      shop.compose([{ field: 'text', expression: 'title', edge: 'c' }], orders),
      'undeclared source "c" in field pick "title": the sources are "a", "b-2"',
    );
  });

  it('leave fields unset that read a missing source', () => {
    const bindings = [
      { field: 'text', expression: 'a:title' },
      { field: 'note', expression: 'b:title | default("none")' },
      { field: 'flag', expression: `cel("a.title == b.title")` },
      { field: 'words', expression: `cel("has(b.note) ? [b.note] : []")` },
      { field: 'small', expression: '1' },
    ];
    assert.equal(shop.compose(bindings, { a: orders.a, b: '' }), '{"text":"A","small":1}');
  });
});

describe('mapping every field of a message to itself', () => {
  itSlow('reproduces any message', async () => {
    const registry = await compiledRegistry(kitchenSink);
    const type = messageType(registry, 'test.v1.Sink');
    const end = { type, registry };
    const same = Object.fromEntries(type.fields.map(({ name }) => [name, name]));
    const compiled = compileBindings(
      bindingsOf(same),
      { sources: new Map([['e', end]]), target: end },
      createCelCompiler(),
    );
    assert.ok(compiled.ok, compiled.ok ? '' : compiled.problems[0]!.detail);
    const { mapping } = compiled;
    fc.assert(
      fc.property(arbitraryMessage(type, 2), (message) => {
        const made = mapping.run({
          sources: new Map([['e', reflect(type, message)]]),
          meter: new WorkMeter(),
        });
        assert.ok(made.ok, made.ok ? '' : made.detail);
        // Compares bytes, because NaN never equals itself. Decodes once more, because the order of map entries may differ.
        const back = toBinary(type, fromBinary(type, made.value));
        assert.deepEqual(back, toBinary(type, fromBinary(type, toBinary(type, message))));
      }),
      { numRuns: 60 },
    );
  });
});

describe('messages with the same name in two versions of a package', () => {
  it('keep the fields that both versions declare', async () => {
    const proto = (more: string) =>
      `syntax = "proto3"; package v; message Box { Inner inner = 1; } message Inner { string a = 1; ${more} }`;
    const [first, second] = [
      await compiledRegistry(proto('')),
      await compiledRegistry(proto('int32 b = 2;')),
    ];
    const end = (registry: typeof first) => ({ type: messageType(registry, 'v.Box'), registry });
    const [source, target] = [end(first), end(second)];
    const compiled = compileBindings(
      bindingsOf({ inner: 'inner', 'inner.b': '7' }),
      { sources: new Map([['e', source]]), target },
      createCelCompiler(),
    );
    assert.ok(compiled.ok);
    const box = fromBinary(source.type, new Uint8Array([10, 3, 10, 1, 120]));
    const made = compiled.mapping.run({
      sources: new Map([['e', reflect(source.type, box)]]),
      meter: new WorkMeter(),
    });
    assert.ok(made.ok);
    assert.equal(toJsonString(target.type, fromBinary(target.type, made.value)), '{"inner":{"a":"x","b":7}}');
  });
});
