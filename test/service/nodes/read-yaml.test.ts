import assert from 'node:assert/strict';
import { readYaml } from '../../../service/nodes/read-yaml.ts';
import { LargeNumber } from '../../../specs/large-number.ts';

describe('reading YAML', () => {
  it('returns the value and the line of each key, or of its nearest parent', () => {
    const read = readYaml('a: 1\nb:\n  - c: 2\n    e:\n      - 3\n');
    assert.ok(!('problem' in read));
    assert.deepEqual(read.value, { a: 1, b: [{ c: 2, e: [3] }] });
    const lines = [['b'], ['b', 0, 'c'], ['b', 0, 'd'], ['b', 0, 'e'], ['b', 0, 'e', 0], ['d']].map((path) =>
      read.lineOf(path),
    );
    assert.deepEqual(lines, [2, 3, 3, 4, 5, 1]);
  });

  it('keeps every digit of an integer', () => {
    const read = readYaml('a: [9007199254740993, -9007199254740993, 9007199254740991, 0x1F, 1.5]\n7: b\n');
    assert.ok(!('problem' in read));
    const large = [new LargeNumber('9007199254740993'), new LargeNumber('-9007199254740993')];
    assert.deepEqual(read.value, { 7: 'b', a: [...large, 9007199254740991, 31, 1.5] });
  });

  const problemOf = (text: string): string => {
    const read = readYaml(text);
    assert.ok('problem' in read);
    return read.problem;
  };

  it('reports the first problem on one line, with its position', () => {
    // Every line after the open bracket is a problem of its own.
    const lines = Array.from({ length: 300 }, (_, index) => `- key${index}: value`);
    assert.match(problemOf(['name: a', 'nodes: [1, 2', ...lines].join('\n')), /^3:1: [^\n]+$/);
    assert.match(problemOf('a: 1\nb: "open\n'), /^\d:\d+: [^\n]+$/);
  });

  it('suggests quotes for a value with a colon, and reports wrong indentation', () => {
    const advice = /: put a value that contains ": " in quotes, or fix the indentation$/;
    assert.match(problemOf("text: cel(true ? 'a' : 'b')\n"), advice);
    assert.match(problemOf('nodes:\n   - a: 1\n  - b: 2\n'), /^\d:\d: .+, or fix the indentation$/);
    assert.match(problemOf('nodes:\n  - a: 1\n   - b: 2\n'), /^3:\d: .+ same column: fix the indentation$/);
    assert.match(
      problemOf('nodes:\n- a: 1\n  b: 2\n c: 3\n'),
      /^4:1: .+ without - indicator: indent the line as deep as the keys of its item, or begin an item with "- "$/,
    );
    assert.match(problemOf('a:\n\tb: 1\n'), /: use spaces$/);
    const compact = '- { from: a, condition: express ? true : false }\n';
    assert.match(problemOf(compact), /^1:\d+: .*: put a value that contains ": " in quotes$/);
  });

  it('suggests quotes for values with special characters', () => {
    assert.match(problemOf('a: "x" + y\n'), /: put the whole value in quotes$/);
    assert.match(problemOf('a: `x`\n'), /: put the value in quotes$/);
    assert.match(
      problemOf('condition: !express\n'),
      /^1:12: .*: put a value that begins with "!" in quotes$/,
    );
    const asterisk = /^1:21: .*: put a value that begins with "\*" or "&" in quotes$/;
    assert.match(problemOf('adapter: { invoice: * }\n'), asterisk);
  });

  it('rejects a second document', () => {
    const problem = 'the file has several YAML documents: keep one of them, without a line "---" after it';
    assert.equal(problemOf('a: 1\n---\nb: 2\n'), `2:1: ${problem}`);
    assert.ok(!('problem' in readYaml('---\na: 1\n')));
  });

  it('reports aliases without an anchor', () => {
    const advice = ': put a value that begins with "*" in quotes';
    const text = 'a: &some 1\nb: *some\nc: *nobody\n';
    assert.ok(problemOf(text).startsWith('3:4: Unresolved alias'), problemOf(text));
    assert.ok(problemOf(text).endsWith(`nobody${advice}`), problemOf(text));
  });
});
