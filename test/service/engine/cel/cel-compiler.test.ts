import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { createCelCompiler } from '../../../../service/engine/cel/cel-compiler.ts';
import type { CelInputs, CelProgram } from '../../../../service/engine/cel/cel-program.ts';
import { describeType, intType, stringType } from '../../../../service/engine/cel/check/static-type.ts';
import type { Outcome } from '../../../../service/engine/outcome.ts';
import { WorkMeter } from '../../../../service/engine/work/work-meter.ts';
import { messageType } from '../../../../service/messages/message-type.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';
import { kitchenSink } from '../../../support/kitchen-sink.ts';

let registry: MessageRegistry;
const cel = createCelCompiler();

before(async () => {
  registry = await compiledRegistry(kitchenSink);
});

function compile(source: string): Outcome<CelProgram> {
  const root = messageType(registry, 'test.v1.Sink');
  return cel.compile(source, { registry, root, variables: { limit: intType } });
}

/** The value of an expression over a Sink, or its error. */
function run(
  source: string,
  fields: Record<string, unknown> = {},
  variables: CelInputs['variables'] = {},
): unknown {
  const program = compile(source);
  if (!program.ok) return program.detail;
  const type = messageType(registry, 'test.v1.Sink');
  const result = program.value.evaluate(
    { root: reflect(type, create(type, fields)), variables },
    new WorkMeter(),
  );
  return result.ok ? result.value : result.detail;
}

describe('expressions over a message', () => {
  it('resolve fields of the root and variables', () => {
    assert.equal(run('an_int32 * limit', { anInt32: 3 }, { limit: 4n }), 12n);
    assert.equal(run('child.a_string + "!"', { child: { $typeName: 'test.v1.Sink', aString: 'a' } }), 'a!');
  });

  it('keep 64-bit integers exact', () => {
    assert.equal(run('an_int64 - 1', { anInt64: 9007199254740993n }), 9007199254740992n);
  });

  it('test presence with has, including for fields of the root', () => {
    assert.equal(run('has(maybe_int32)'), false);
    assert.equal(run('has(maybe_int32)', { maybeInt32: 0 }), true);
    assert.equal(run('has(child.a_string)', { child: { $typeName: 'test.v1.Sink', aString: 'a' } }), true);
  });

  it('prefer declared variables and comprehension variables to fields of the same name', () => {
    const root = messageType(registry, 'test.v1.Sink');
    const program = cel.compile('a_string', { registry, root, variables: { a_string: intType } });
    assert.ok(program.ok);
    assert.equal(describeType(program.value.type), 'int');
    assert.equal(run('[1, 2].map(a_string, a_string * 2)[1]', { aString: 'hidden' }), 4n);
  });

  it('read enums as integers, read wrappers as nullable values, and construct messages', () => {
    assert.equal(run('color == test.v1.Color.RED', { color: 1 }), true);
    assert.equal(run('string_value == null'), true);
    assert.equal(run('test.v1.Sink{a_string: "x"}.a_string'), 'x');
  });

  it('do not resolve properties of Object.prototype', () => {
    assert.match(
      String(run('__proto__')),
      /^CEL compilation failed: 1:1: undeclared reference to '__proto__': use /,
    );
    assert.equal(run('constructor', { constructor$: 'a field' }), 'a field');
    assert.match(String(run('hasOwnProperty')), /^CEL compilation failed: 1:1: undeclared reference/);
  });

  it('read times in an explicit zone, independent of the zone of the process', () => {
    // In New York, clocks go forward from 2 to 3 in this night.
    assert.equal(run('timestamp("2026-03-08T02:30:00Z").getHours()'), 2n);
    assert.equal(run('timestamp("2026-03-08T02:30:00Z").getHours("+05:30")'), 8n);
    assert.equal(run('timestamp("2026-03-08T12:30:00Z").getHours("America/New_York")'), 8n);
    assert.match(
      String(run('timestamp("2026-03-08T12:30:00Z").getHours("Nowhere")')),
      /^CEL evaluation failed: /,
    );
  });
});

describe('errors of expressions', () => {
  const problems: [source: string, detail: string][] = [
    ['', 'CEL parse error: the expression is empty'],
    ['1 +', "CEL parse error: 1:3: syntax error at '+'"],
    ['[1,\n2', 'CEL parse error: 2:2: syntax error at end of expression'],
    ['size(a && b', "CEL parse error: 1:5: syntax error at '(': a parenthesis is not closed"],
    [
      '(a == ")" && b',
      'CEL parse error: 1:15: syntax error at end of expression: a parenthesis is not closed',
    ],
    [
      '"\\U0010FFFF" + "\\U00110000"',
      'CEL parse error: an escape is beyond \\U0010FFFF, the last character of Unicode',
    ],
    ['a == "(" b', "CEL parse error: 1:10: syntax error at 'b'"],
    ['a and b', "CEL parse error: 1:3: syntax error at 'a': the logical operators are &&, || and !"],
    ['(a OR b)', "CEL parse error: 1:4: syntax error at 'O': the logical operators are &&, || and !"],
    ['a && not b', "CEL parse error: 1:10: syntax error at 'b': the logical operators are &&, || and !"],
    ['a not in b', "CEL parse error: 1:3: syntax error at 'n': the logical operators are &&, || and !"],
    ['a & b', "CEL parse error: 1:3: syntax error at '&': the logical operators are &&, || and !"],
    ['a = b', "CEL parse error: 1:3: syntax error at '=': write == to compare"],
    ['a android', "CEL parse error: 1:3: syntax error at 'a'"],
    ['a ==', "CEL parse error: 1:3: syntax error at '='"],
    ['a &&', "CEL parse error: 1:3: syntax error at '&'"],
    ['99999999999999999999', 'CEL parse error: invalid int literal: out of range'],
    ['99999999999999999999u', 'CEL parse error: invalid uint literal: out of range'],
    ['1e999', 'CEL parse error: invalid double literal: out of range'],
    [
      'missing',
      "CEL compilation failed: 1:1: undeclared reference to 'missing': use one of a_double, a_float, an_int32, an_int64, a_uint32, a_uint64, a_sint32, a_sint64, a_fixed32, a_fixed64, a_sfixed32, a_sfixed64, ...",
    ],
    [
      '[1].map(x, y)',
      "CEL compilation failed: 1:12: undeclared reference to 'y': use one of x, a_double, a_float, an_int32, an_int64, a_uint32, a_uint64, a_sint32, a_sint64, a_fixed32, a_fixed64, a_sfixed32, ...",
    ],
    ['missing(1)', "CEL compilation failed: 1:1: undeclared reference to 'missing'"],
    [
      'child.missing',
      "CEL compilation failed: 1:6: undefined field 'missing' of test.v1.Sink: it has a_double, a_float, an_int32, an_int64, a_uint32, a_uint64, a_sint32, a_sint64, a_fixed32, a_fixed64, a_sfixed32, a_sfixed64, ...",
    ],
    [
      '1 +\n "a"',
      "CEL compilation failed: 1:3: found no matching overload for '_+_' applied to '(int, string)'",
    ],
    [
      'a_double * 2 > 1000.0',
      "CEL compilation failed: 1:10: found no matching overload for '_*_' applied to '(double, int)': numbers of different types do not mix: write 2.0 instead of 2, or convert with double(...)",
    ],
    [
      'an_int32 + a_uint32',
      "CEL compilation failed: 1:10: found no matching overload for '_+_' applied to '(int, uint)': numbers of different types do not mix: write 2u for a uint, or convert with int(...) or uint(...)",
    ],
    [
      'a_double % 2.0',
      "CEL compilation failed: 1:10: found no matching overload for '_%_' applied to '(double, double)'",
    ],
    ['a_string.size().x', "CEL compilation failed: 1:16: type 'int' does not support field selection"],
    [
      'test.v1.Sink{a_string: 1}',
      "CEL compilation failed: 1:14: expected type of field 'a_string' is 'string' but provided type is 'int'",
    ],
    [
      'an_int32.map(x, x)',
      "CEL compilation failed: 1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['numbers[3]', 'CEL evaluation failed: index out of range: 3'],
    ['1 / an_int32', 'CEL evaluation failed: division by zero'],
    ['1u % a_uint32', 'CEL evaluation failed: modulus by zero'],
    ['by_string["a"].a_string', 'CEL evaluation failed: no such key: a'],
    ['int(a_string)', 'CEL evaluation failed: cannot convert "" to int'],
    ['int(" 1 ")', 'CEL evaluation failed: cannot convert " 1 " to int'],
    ['double("")', 'CEL evaluation failed: cannot convert "" to double'],
  ];
  for (const [source, detail] of problems) {
    it(`${JSON.stringify(source)} fails with ${detail}`, () => {
      assert.equal(run(source), detail);
    });
  }
});

describe('conditions', () => {
  const condition = (source: string) =>
    cel.compileCondition(source, { registry, root: messageType(registry, 'test.v1.Sink'), variables: {} });

  it('must have type bool', () => {
    const compiled = condition('an_int32 + 1');
    assert.deepEqual(compiled, {
      ok: false,
      detail: 'CEL compilation failed: the condition has type int, expected bool',
    });
    assert.ok(condition('bool_value').ok);
  });

  it('evaluate to a boolean or report why they fail', () => {
    const type = messageType(registry, 'test.v1.Sink');
    const root = reflect(type, create(type, { anInt32: 7 }));
    const holds = (source: string) => {
      const compiled = condition(source);
      assert.ok(compiled.ok);
      return compiled.value.holds({ root }, new WorkMeter());
    };
    assert.deepEqual(holds('an_int32 > 5'), { ok: true, value: true });
    assert.deepEqual(holds('an_int32 > 7'), { ok: true, value: false });
    assert.deepEqual(holds('numbers[0] == 1'), {
      ok: false,
      detail: 'CEL evaluation failed: index out of range: 0',
    });
    assert.deepEqual(holds('value'), {
      ok: false,
      detail: 'CEL evaluation failed: the condition did not evaluate to a bool',
    });
  });
});

describe('a compiler', () => {
  it('compiles the same expression separately for each scope', () => {
    const asInt = cel.compile('x', { registry, variables: { x: intType } });
    const asText = cel.compile('x', { registry, variables: { x: stringType } });
    assert.ok(asInt.ok && asText.ok);
    assert.deepEqual([describeType(asInt.value.type), describeType(asText.value.type)], ['int', 'string']);
    assert.deepEqual(asInt.value.evaluate({ variables: { x: 1n } }, new WorkMeter()), {
      ok: true,
      value: 1n,
    });
    assert.deepEqual(asText.value.evaluate({ variables: { x: 'a' } }, new WorkMeter()), {
      ok: true,
      value: 'a',
    });
  });
});
