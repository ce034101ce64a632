import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type JsonBounds, JsonScan } from '../../../../service/http/request/json-scan.ts';

const wide: JsonBounds = { nesting: 100, values: 1e6, numberBytes: 100, keyBytes: 100 };

/** Scans a text that arrives in pieces of `size` bytes. */
function scan(
  text: string,
  {
    bounds = {},
    names,
    uniqueKeys = false,
    size = Infinity,
  }: { bounds?: Partial<JsonBounds>; names?: string[]; uniqueKeys?: boolean; size?: number } = {},
): { problem: string | undefined; values: number; members: Record<string, string>; read: number } {
  const bytes = Buffer.from(text);
  const scanned = new JsonScan({ bounds: { ...wide, ...bounds }, names, uniqueKeys });
  let problem: string | undefined;
  let read = 0;
  while (problem === undefined && read < bytes.length) {
    read = Math.min(bytes.length, read + size);
    problem = scanned.advance(bytes.subarray(0, read));
  }
  const members = [...scanned.members].map(([name, { start, end }]) => [
    name,
    bytes.subarray(start, end).toString(),
  ]);
  return {
    problem,
    values: scanned.values,
    members: Object.fromEntries(members) as Record<string, string>,
    read,
  };
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1);
}

const problemOf = (text: string, bounds: Partial<JsonBounds>): string | undefined =>
  scan(text, { bounds }).problem;

describe('scanning JSON as it arrives', () => {
  it('counts values and finds members of any JSON in pieces of any size', () => {
    const documents = fc.tuple(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(0, 1, '\t'),
      fc.integer({ min: 1, max: 40 }),
    );
    fc.assert(
      fc.property(documents, ([value, space, size]) => {
        const text = JSON.stringify(value, null, space);
        const names = Object.keys(value);
        const { problem, values, members } = scan(text, { names, size });
        assert.equal(problem, undefined);
        assert.equal(values, countValues(JSON.parse(text)));
        assert.deepEqual(Object.keys(members).sort(), [...names].sort());
        for (const name of names)
          assert.deepEqual(JSON.parse(members[name] ?? ''), JSON.parse(JSON.stringify(value[name])));
      }),
    );
  });

  it('finds members with their exact text, despite structural characters in strings', () => {
    const text = '{ "input" : {"n": 9007199254740993, "f": 1.50 } ,"b":\n"}{,:\\"\\\\"\t,"d":{"b":1}}';
    assert.deepEqual(scan(text, { names: ['input', 'b', 'c'] }).members, {
      input: '{"n": 9007199254740993, "f": 1.50 }',
      b: '"}{,:\\"\\\\"',
    });
  });

  it('finds members whose keys are escaped', () => {
    const text = '{"\\u0069\\u006e\\u0070\\u0075\\u0074": [1, 2]}';
    assert.deepEqual(scan(text, { names: ['input'] }).members, { input: '[1, 2]' });
  });

  it('ignores members of arrays and of nested objects', () => {
    assert.deepEqual(scan('[{"input":1}]', { names: ['input'] }).members, {});
    assert.deepEqual(scan('{"a":{"input":1}}', { names: ['input'] }).members, {});
  });

  it('rejects a duplicate key of the outermost object if it searches for members', () => {
    const text = '{"input":1,"other":2,"\\u006fther":3}';
    assert.equal(scan(text, { names: ['input'] }).problem, 'the key "other" occurs twice');
    assert.equal(scan(text, { names: [] }).problem, 'the key "other" occurs twice');
    assert.equal(scan(text).problem, undefined);
    assert.equal(
      scan('{"input":{"a":1,"a":2},"a":[{"b":1,"b":2}]}', { names: ['input'] }).problem,
      undefined,
    );
  });

  it('accepts nesting up to the limit', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (levels: number): string => `${open.repeat(levels)}1${close.repeat(levels)}`;
      assert.equal(problemOf(nested(5), { nesting: 5 }), undefined);
      assert.equal(problemOf(nested(6), { nesting: 5 }), 'the JSON nests deeper than 5 levels');
    }
    assert.equal(problemOf('[[],[],[[]]]'.repeat(3), { nesting: 3 }), undefined);
  });

  it('accepts values of every kind up to the limit', () => {
    for (const value of ['{}', '[]', '1', '"a"', 'null', 'true', '{"k":1}', '[1]']) {
      const each = countValues(JSON.parse(value));
      const list = (count: number): string => `[${Array.from({ length: count }, () => value).join(', ')}]`;
      assert.equal(problemOf(list(10), { values: 1 + 10 * each }), undefined, value);
      assert.equal(
        problemOf(list(10), { values: 10 * each }),
        `the JSON has more than ${10 * each} values`,
        value,
      );
    }
  });

  it('accepts numbers up to the maximum length', () => {
    for (const number of ['1234567890', '-123456.89', '1.2345e+10']) {
      assert.equal(problemOf(`[${number},${number}]`, { numberBytes: 10 }), undefined);
      assert.equal(problemOf(number, { numberBytes: 10 }), undefined);
      assert.equal(problemOf(`[${number}0]`, { numberBytes: 10 }), 'a number is longer than 10 characters');
    }
  });

  it('accepts keys up to the maximum length, and values of any length', () => {
    const long = 'x'.repeat(1000);
    assert.equal(problemOf(`{"1234567890":"${long}"}`, { keyBytes: 10 }), undefined);
    assert.equal(problemOf(`{"12345678901":1}`, { keyBytes: 10 }), 'a key is longer than 10 bytes');
    assert.equal(problemOf(`["${long}",{"a":["${long}"]}]`, { keyBytes: 10 }), undefined);
  });

  it('stops at the first piece over a limit, and scans each byte once', () => {
    const levels = scan('['.repeat(1000), { bounds: { nesting: 5 }, size: 4 });
    assert.equal(levels.read, 8);
    const digits = scan('1'.repeat(1000), { bounds: { numberBytes: 10 }, size: 1 });
    assert.equal(digits.read, 11);
    const key = scan(`{"${'x'.repeat(1000)}`, { bounds: { keyBytes: 10 }, size: 1 });
    assert.equal(key.read, 13);
  });

  it('finds a duplicate key at any depth in pieces of any size', () => {
    const document = fc.tuple(fc.jsonValue(), fc.integer({ min: 1, max: 40 }));
    const problem = (text: string, size: number) => scan(text, { uniqueKeys: true, size }).problem;
    fc.assert(
      fc.property(document, ([value, size]) => {
        const text = JSON.stringify([value]);
        assert.equal(problem(text, size), undefined);
        const twice = text.replace(/\{("(?:[^"\\]|\\.)*"):/, '{$1:0,$1:');
        if (twice !== text) assert.match(problem(twice, size) ?? '', /^the key ".*" occurs twice$/s);
      }),
    );
  });

  it('limits the number of keys without values', () => {
    const keys = (count: number) => `{${Array.from({ length: count }, (_, key) => `"${key}"`).join()}`;
    const problem = (count: number) =>
      scan(keys(count), { uniqueKeys: true, bounds: { values: 10 } }).problem;
    assert.equal(problem(11), undefined);
    assert.equal(problem(12), 'the JSON has more than 10 values');
  });

  it('reports no problem for text that is not JSON', () => {
    for (const text of [
      '',
      '}',
      ']]]',
      '{"a"',
      '"a',
      '{"input":,}',
      'nonsense',
      '{"input"::}',
      '\\"',
      ',,,',
    ]) {
      assert.equal(scan(text, { names: ['input', 'a'] }).problem, undefined, text);
    }
  });
});
