import assert from 'node:assert/strict';
import { create, createRegistry } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import {
  anyPack,
  AnySchema,
  DurationSchema,
  StringValueSchema,
  FieldDescriptorProto_TypeSchema,
} from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { failed } from '../../../../service/engine/outcome.ts';
import { transforms } from '../../../../service/engine/transforms/all-transforms.ts';
import { renderText } from '../../../../service/engine/transforms/render-text.ts';
import type { Shape } from '../../../../service/engine/transforms/shape.ts';
import { WorkMeter } from '../../../../service/engine/work/work-meter.ts';
import { absent, int64, text } from '../../../../service/engine/transforms/value.ts';
import type { Value } from '../../../../service/engine/transforms/value.ts';
import { itSlow } from '../../../support/fast-run.ts';

const noCel = { cel: () => failed('there is no CEL here'), meter: new WorkMeter(Infinity) };

/** The result of a transform, or its compile or runtime error. */
function apply(
  name: string,
  args: readonly Value[],
  input: Value,
  shape: Shape = { kind: 'dyn' },
): Value | string {
  const step = transforms.get(name)!.prepare(args, shape, noCel);
  if (!step.ok) return step.detail;
  const work = { sources: new Map(), meter: new WorkMeter(Infinity), registry: createRegistry() };
  const output = step.value.apply(input, work);
  return output.ok ? output.value : output.detail;
}

const double = (value: number): Value => ({ kind: 'double', value });
const list = (...values: Value[]): Value => ({ kind: 'list', values });
const bytes = (...values: number[]): Value => ({ kind: 'bytes', value: new Uint8Array(values) });
const message: Value = {
  kind: 'message',
  value: reflect(DurationSchema, create(DurationSchema, { seconds: 3n })),
};
const color: Value = { kind: 'enum', value: 9, type: FieldDescriptorProto_TypeSchema };
const one = int64(1n);

describe('errors of transforms', () => {
  const failures: [name: string, args: Value[], input: Value, detail: string][] = [
    ['mult', [], one, 'multiply needs a multiplier value, e.g. multiply(2)'],
    ['mult', [absent], one, 'multiply needs a multiplier value, e.g. multiply(2)'],
    ['add', [], one, 'add needs a value to add, e.g. add(5)'],
    ['mult', [text('two')], one, 'multiply: "two" is not a number'],
    ['add', [text('')], one, 'add: "" is not a number'],
    ['add', [{ kind: 'bool', value: true }], one, 'add: "true" is not a number'],
    ['mult', [one], text('3'), 'cannot convert string to float'],
    ['add', [one], { kind: 'bool', value: true }, 'cannot convert bool to float'],
    ['add', [one], message, 'cannot convert message to float'],
    ['suffix', [], one, 'suffix needs a string to append, e.g. suffix(" world")'],
    ['prefix', [], one, 'prefix needs a string to prepend, e.g. prefix("hi ")'],
    ['cel', [], one, 'cel requires 1 or 2 args (expression[, srcField])'],
    ['cel', [text('1'), text('a'), text('b')], one, 'cel requires 1 or 2 args (expression[, srcField])'],
    ['replace', [text('a')], one, 'replace requires 2 args (from, to)'],
    ['replace', [text(''), text('a')], one, 'replace: `from` is required'],
    ['regex_replace', [text('a')], one, 'regex_replace requires 2 args (pattern, replacement)'],
    ['regex_replace', [text(''), text('a')], one, 'regex_replace: `pattern` is required'],
    [
      'regex_replace',
      [text('('), text('')],
      one,
      'regex_replace: invalid pattern: error parsing regexp: missing closing ): `(`',
    ],
    [
      'regex_replace',
      [text('a'), text('$1')],
      one,
      'regex_replace: the replacement refers to group "1", which the pattern does not define',
    ],
    ['slice', [one], one, 'slice requires 2 args (start, end)'],
    ['slice', [one, text('x')], one, 'slice: "x" is not an integer'],
    ['split', [text(',')], one, 'split requires 2 args (sep, index)'],
    ['split', [text(''), one], one, 'split: `separator` is required'],
    ['split', [text(','), int64(2n)], text('a,b'), 'split: index 2 out of range'],
    ['split', [text(','), int64(-1n)], text('a,b'), 'split: index -1 out of range'],
    ['default', [], one, 'default requires 1 arg'],
    ['cast', [], one, 'cast requires 1 arg (target kind)'],
    ['cast', [text('int32')], text('ten'), 'cast: "ten" is not a number'],
    ['cast', [text('int32')], text(''), 'cast: "" is not a number'],
    ['cast', [text('int32')], message, 'cast: cannot convert message to int32'],
    ['cast', [text('string')], list(one), 'cast: cannot convert list to string'],
    ['cast', [text('string')], bytes(0xff), 'cast: cannot convert bytes to string'],
    ['cast', [text('bool')], text('yes'), 'cast: cannot convert string to bool'],
    ['cast', [text('decimal')], one, 'cast: unsupported target kind "decimal"'],
    ['cast', [text('int32')], int64(2147483648n), 'cast: 2147483648 is out of the range of int32'],
    ['cast', [text('float')], double(1e300), 'cast: 1e+300 is out of the range of float'],
    ['cast', [text('uint64')], int64(-1n), 'cast: -1 is out of the range of uint64'],
    ['cast', [text('int64')], double(Infinity), 'cast: Infinity is out of the range of int64'],
    ['upper', [one], one, 'upper takes no args'],
  ];
  for (const [name, args, input, detail] of failures) {
    it(`${name} fails with ${detail}`, () => {
      assert.equal(apply(name, args, input), detail);
    });
  }

  it('are reported at compile time if the type of the input is known', () => {
    const step = (name: string, args: Value[], shape: Shape) =>
      transforms.get(name)!.prepare(args, shape, noCel);
    assert.deepEqual(step('mult', [one], { kind: 'string' }), failed('cannot convert string to float'));
    assert.deepEqual(
      step('cast', [text('int32')], { kind: 'list', element: { kind: 'int32' } }),
      failed('cast: cannot convert list to int32'),
    );
  });
});

describe('results of transforms', () => {
  const results: [name: string, args: Value[], input: Value, output: Value][] = [
    ['mult', [int64(2n)], { kind: 'int32', value: 2147483647 }, int64(4294967294n)],
    ['mult', [text('2')], one, int64(2n)],
    ['mult', [double(0.5)], int64(3n), double(1.5)],
    ['mult', [int64(2n)], double(0.1), double(0.2)],
    ['add', [int64(1n)], int64(9007199254740992n), int64(9007199254740993n)],
    ['add', [int64(1n)], int64(2n ** 63n - 1n), { kind: 'uint64', value: 2n ** 63n }],
    ['add', [int64(1n)], { kind: 'uint64', value: 2n ** 64n - 1n }, double(2 ** 64)],
    ['suffix', [text('!')], text('a'), text('a!')],
    ['suffix', [int64(1n)], int64(2n), text('21')],
    ['prefix', [text('hi ')], text('a'), text('hi a')],
    ['replace', [text('a'), text('$&')], text('abca'), text('$&bc$&')],
    [
      'regex_replace',
      [text('(\\w+) (?P<second>\\w+)'), text('${second} $1x $$1 $0 $')],
      text('a b'),
      text('b ax $1 a b $'),
    ],
    ['slice', [int64(1n), int64(3n)], text('a😀bc'), text('😀b')],
    ['slice', [int64(-2n), int64(-1n)], text('a😀bc'), text('b')],
    ['slice', [int64(2n), int64(99n)], text('abc'), text('c')],
    ['slice', [int64(2n), int64(1n)], text('abc'), text('')],
    ['slice', [int64(0n), int64(1n)], list(one, text('b')), list(one)],
    ['slice', [int64(1n), int64(2n)], bytes(1, 2, 3), bytes(2)],
    ['split', [text('/'), int64(1n)], text('a/b/c'), text('b')],
    ['split', [text('/'), int64(2n)], text('a/b/c'), text('c')],
    ['split', [text('/'), int64(0n)], text('abc'), text('abc')],
    ['default', [text('x')], absent, text('x')],
    ['default', [text('x')], text(''), text('x')],
    ['default', [text('x')], text('y'), text('y')],
    ['default', [one], { ...int64(0n), unset: true }, one],
    ['default', [one], int64(0n), int64(0n)],
    ['default', [one], list(), one],
    ['cast', [text('string')], double(1.5), text('1.5')],
    ['cast', [text('string')], { kind: 'float', value: Math.fround(0.1) }, text('0.1')],
    ['cast', [text('string')], { kind: 'float', value: Math.fround(-1 / 3) }, text('-0.33333334')],
    ['cast', [text('string')], int64(9007199254740993n), text('9007199254740993')],
    ['cast', [text('string')], color, text('TYPE_STRING')],
    ['cast', [text('string')], bytes(0xc3, 0xa9), text('é')],
    ['cast', [text('int32')], text(' 12 '), { kind: 'int32', value: 12 }],
    ['cast', [text('int64')], text('9007199254740993'), int64(9007199254740993n)],
    ['cast', [text('int32')], double(-2.9), { kind: 'int32', value: -2 }],
    ['cast', [text('int32')], color, { kind: 'int32', value: 9 }],
    ['cast', [text('double')], int64(3n), double(3)],
    ['cast', [text('float')], double(0.1), { kind: 'float', value: Math.fround(0.1) }],
    ['cast', [text('bool')], int64(2n), { kind: 'bool', value: true }],
    ['cast', [text('bool')], text('false'), { kind: 'bool', value: false }],
    ['cast', [text('int32')], { kind: 'bool', value: true }, { kind: 'int32', value: 1 }],
    ['cast', [text('bytes')], text('é'), bytes(0xc3, 0xa9)],
    ['upper', [], text('straße'), text('STRASSE')],
    ['lower', [], text('ÀB'), text('àb')],
    ['trim', [], text('\t a b \n'), text('a b')],
    ['length', [], text('a😀'), int64(2n)],
    ['length', [], list(one, one), int64(2n)],
    ['length', [], bytes(1, 2, 3), int64(3n)],
    ['length', [], absent, int64(0n)],
    ['length', [], int64(-12n), int64(3n)],
  ];
  for (const [name, args, input, output] of results) {
    it(`${name}(${args.map(renderText).join()}) of ${input.kind} ${renderText(input)}`, () => {
      assert.deepEqual(apply(name, args, input), output);
    });
  }

  it('are absent for absent input, except for default and length', () => {
    const args: Record<string, Value[]> = {
      mult: [one],
      add: [one],
      suffix: [text('a')],
      prefix: [text('a')],
      replace: [text('a'), text('b')],
      regex_replace: [text('a'), text('b')],
      slice: [one, one],
      split: [text('a'), one],
      cast: [text('int32')],
    };
    for (const name of transforms.keys()) {
      if (name === 'default' || name === 'length' || name === 'cel' || name === 'multiply') continue;
      assert.deepEqual(apply(name, args[name] ?? [], absent), absent, name);
    }
  });

  it('are exact for integers', () => {
    const integer = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
    const asValue = (value: bigint) =>
      value >= -(2n ** 63n) && value < 2n ** 63n
        ? int64(value)
        : value >= 0n && value < 2n ** 64n
          ? { kind: 'uint64', value }
          : double(Number(value));
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        assert.deepEqual(apply('add', [int64(b)], int64(a)), asValue(a + b));
        assert.deepEqual(apply('mult', [int64(b)], int64(a)), asValue(a * b));
      }),
    );
  });

  it('render any value as text, including messages without a JSON form', () => {
    assert.deepEqual(apply('upper', [], message), text('"3S"'));
    assert.deepEqual(apply('trim', [], list(text('a'), one)), text('["a","1"]'));
    const unknown = anyPack(StringValueSchema, create(StringValueSchema));
    assert.deepEqual(apply('upper', [], { kind: 'message', value: reflect(AnySchema, unknown) }), text(''));
    assert.deepEqual(apply('lower', [], { kind: 'map', entries: [[text('A'), one]] }), text('{"a":"1"}'));
  });

  itSlow('are limited in size', () => {
    const long = text('a'.repeat(16_777_216));
    assert.equal(apply('suffix', [text('!')], long), 'suffix: the result is longer than 16777216 characters');
    assert.equal(apply('prefix', [text('!')], long), 'prefix: the result is longer than 16777216 characters');
    assert.equal(
      apply('replace', [text('a'), text('bb')], long),
      'replace: the result is longer than 16777216 characters',
    );
    assert.equal(
      apply('regex_replace', [text('a'), text('b'.repeat(1_000))], text('a'.repeat(20_000))),
      'regex_replace: the result is longer than 16777216 characters',
    );
  });
});
