import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseAdapter } from '../../../../service/engine/adapters/parse-adapter.ts';
import type { AdapterExpression } from '../../../../service/engine/adapters/parse-adapter.ts';
import type { Value } from '../../../../service/engine/transforms/value.ts';

function read(source: string): AdapterExpression {
  const parsed = parseAdapter(source);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.detail);
  return parsed.value;
}

function refusal(source: string): string {
  const parsed = parseAdapter(source);
  assert.ok(!parsed.ok, `read ${source}`);
  return parsed.detail;
}

function literal(source: string): Value {
  const { head } = read(source);
  assert.ok(head.kind === 'literal', `${source} is no literal`);
  return head.value;
}

describe('adapter expressions', () => {
  it('pick fields, optionally from a named edge', () => {
    assert.deepEqual(read('a.b_c.D1').head, { kind: 'pick', path: ['a', 'b_c', 'D1'] });
    assert.deepEqual(read(' edge-1 : a . b ').head, { kind: 'pick', edge: 'edge-1', path: ['a', 'b'] });
    assert.deepEqual(read('12:a').head, { kind: 'pick', edge: '12', path: ['a'] });
    assert.deepEqual(read('"any -> thing":a').head, { kind: 'pick', edge: 'any -> thing', path: ['a'] });
  });

  it('pick the whole message', () => {
    assert.deepEqual(read('*').head, { kind: 'pick', path: [] });
    assert.deepEqual(read('e1:*').head, { kind: 'pick', edge: 'e1', path: [] });
  });

  it('can be literals', () => {
    assert.deepEqual(literal('"a\\n\\"\\u00e9\\\\"'), { kind: 'string', value: 'a\n"é\\' });
    assert.deepEqual(literal('"\\ud83d\\ude00"'), { kind: 'string', value: '😀' });
    assert.deepEqual(literal(`'it\\'s "so"'`), { kind: 'string', value: `it's "so"` });
    assert.deepEqual(literal('9223372036854775807'), { kind: 'int64', value: 9223372036854775807n });
    assert.deepEqual(literal('18446744073709551615'), { kind: 'uint64', value: 18446744073709551615n });
    assert.deepEqual(literal('-1.5e3'), { kind: 'double', value: -1500 });
    assert.deepEqual(literal('true'), { kind: 'bool', value: true });
    assert.deepEqual(literal('null'), { kind: 'absent' });
  });

  it('pipe values through transforms, with and without arguments', () => {
    const { head, transforms } = read('title | trim | replace("a|b", \'c\') | cel()');
    assert.deepEqual(head, { kind: 'pick', path: ['title'] });
    assert.deepEqual(transforms, [
      { name: 'trim', args: [], column: 9 },
      {
        name: 'replace',
        args: [
          { kind: 'string', value: 'a|b' },
          { kind: 'string', value: 'c' },
        ],
        column: 16,
      },
      { name: 'cel', args: [], column: 38 },
    ]);
  });

  it('can begin with cel(...)', () => {
    assert.deepEqual(read('cel("a.n * 2", "b")').head, {
      kind: 'call',
      call: {
        name: 'cel',
        args: [
          { kind: 'string', value: 'a.n * 2' },
          { kind: 'string', value: 'b' },
        ],
        column: 1,
      },
    });
    assert.deepEqual(read('cel.cel').head, { kind: 'pick', path: ['cel', 'cel'] });
  });

  it('accept any text in quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.deepEqual(literal(JSON.stringify(text)), { kind: 'string', value: text });
      }),
    );
  });

  it('parse or fail with a reason for any input', () => {
    const pieces = fc.constantFrom(
      'a',
      '.',
      '|',
      '(',
      ')',
      ',',
      ':',
      '*',
      '"',
      "'",
      '\\',
      ' ',
      '1',
      '-',
      'cel',
      'é',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (some) => {
        const parsed = parseAdapter(some.join(''));
        assert.ok(parsed.ok || parsed.detail.length > 0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('malformed expressions', () => {
  const advice = ': compute with cel("<expression>"), and put text in quotes';
  const refusals: [source: string, detail: string][] = [
    ['  ', 'the expression is empty: write a field of the source or a literal'],
    ['a b', `expected "|" or the end at column 3, found "b"${advice}`],
    ['a.', 'expected a field name at column 3, found the end of the expression'],
    ['a..b', 'expected a field name at column 3, found "."'],
    ['e:', 'expected a field name at column 3, found the end of the expression'],
    ['e:"x"', 'expected a field name at column 3, found the string "x"'],
    ['a-b', 'expected a field name at column 1, found "a-b"'],
    ['a |', 'expected a transform name at column 4, found the end of the expression'],
    ['a || b', 'expected a transform name at column 4, found "|"'],
    [
      'a | trim(',
      'expected a literal (a quoted string, a number, true, false or null) at column 10, found the end of the expression',
    ],
    [
      'a | trim(b)',
      'expected a literal (a quoted string, a number, true, false or null) at column 10, found "b"',
    ],
    [
      'a | trim(1,)',
      'expected a literal (a quoted string, a number, true, false or null) at column 12, found ")"',
    ],
    ['a | trim(1 2)', 'expected "," or ")" at column 12, found "2"'],
    ['upper(a)', '"upper" at column 1 needs a piped value: write <field> | upper(...)'],
    ['a | suffix("b', 'the string at column 12 has no closing double quote'],
    ["a | suffix('b", 'the string at column 12 has no closing single quote'],
    ['"a\\xb"', 'unknown escape "\\x" at column 3: write a backslash as "\\\\"'],
    ['a | suffix("\\ud83d")', 'the string at column 12 has half of a surrogate pair: write both halves'],
    ['a + b', `unexpected "+" at column 3${advice}`],
    ['a | é', `unexpected "é" at column 5${advice}`],
    ['*.a', `expected "|" or the end at column 2, found "."${advice}`],
    ['9'.repeat(500), 'the number at column 1 is too long'],
    [`"${'a'.repeat(9_000)}"`, 'the expression is longer than 8192 characters'],
    [`a${' | trim'.repeat(33)}`, 'the expression has more than 32 transforms'],
  ];
  for (const [source, detail] of refusals) {
    it(`${source.slice(0, 20)} fails with ${detail}`, () => {
      assert.equal(refusal(source), detail);
    });
  }
});
