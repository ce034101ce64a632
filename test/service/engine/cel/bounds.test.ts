import assert from 'node:assert/strict';
import { createFileRegistry } from '@bufbuild/protobuf';
import { createCelCompiler } from '../../../../service/engine/cel/cel-compiler.ts';
import { intType, listOf, stringType } from '../../../../service/engine/cel/check/static-type.ts';
import { WorkMeter, withinBudget } from '../../../../service/engine/work/work-meter.ts';
import { threadMs } from '../../../../service/work/thread-time.ts';

const cel = createCelCompiler();
const registry = createFileRegistry();
const variables = { numbers: listOf(intType), text: stringType };
const tooCostly = 'the expression is too expensive to evaluate on this input: move such work into a node';

const numbers = Array.from({ length: 100_000 }, (_, index) => BigInt(index));
const text = 'a'.repeat(2 ** 20);

/** Far above the time that any of these tests takes, and far below the time it would take without limits. */
const mostMs = 2_000;

function run(source: string, inputs: object = { numbers, text }): unknown {
  const startedAt = threadMs();
  const program = cel.compile(source, { registry, variables });
  const result = program.ok
    ? withinBudget(
        () => program.value.evaluate({ variables: { ...inputs } }, new WorkMeter()),
        (detail) => detail,
      )
    : program;
  const took = threadMs() - startedAt;
  assert.ok(took < mostMs, `${source.slice(0, 60)} took ${took} ms`);
  return result.ok ? result.value : result.detail;
}

/** An expression whose text grows 60-fold with every call. */
function nestedReplace(depth: number): string {
  const letters = 'a'.repeat(60);
  return `"${letters}"` + `.replace("a", "${letters}")`.repeat(depth);
}

describe('the cost limit of an expression', () => {
  const hostile: [name: string, source: string][] = [
    ['a nested replace', nestedReplace(15)],
    ['nested iterations', 'numbers.exists(x, numbers.exists(y, x + y == -1))'],
    ['iterations whose error || would absorb', 'numbers.all(x, numbers.all(y, true)) || true'],
    [
      'nested iterations without any calls',
      '[1, 2, 3, 4, 5, 6, 7, 8].map(a, '.repeat(8) + 'a' + ')'.repeat(8),
    ],
    ['nested iterations that evaluate nothing', 'numbers.all(x, numbers.exists(y, true))'],
    ['lists of lists that share their elements', '[[1]]' + '.map(x, [x, x])'.repeat(60)],
    ['comparisons of lists', `[[1]]${'.map(x, [x, x])'.repeat(60)} == [[1]]${'.map(x, [x, x])'.repeat(60)}`],
    ['formatting of lists', `"%s".format([[[1]]${'.map(x, [x, x])'.repeat(60)}])`],
    ['concatenations', 'numbers.all(x, (numbers + numbers).size() > 0)'],
    ['long texts in a loop', 'numbers.all(x, text.upperAscii().size() > 0)'],
    ['replacements in a loop', 'numbers.all(x, text.replace("a", "b").size() > 0)'],
    ['time zones in a loop', 'numbers.all(x, timestamp(x).getHours("America/New_York") >= 0)'],
    ['repeated concatenation of a text', `text${' + text'.repeat(150)}`],
  ];
  for (const [name, source] of hostile) {
    it(`stops ${name}`, () => {
      const given = String(run(source));
      assert.ok(
        given === tooCostly || given.startsWith('CEL evaluation failed: the result is longer'),
        given,
      );
    });
  }

  it('searches long texts in linear time', () => {
    assert.equal(run('text.contains("b" + text.substring(0, 50000))'), false);
    assert.equal(run('text.contains(text.substring(0, 50000) + "b")'), false);
    const half = { text: text.slice(0, 2 ** 19) };
    assert.equal(run('text.lastIndexOf("b" + text.substring(0, 50000))', half), -1n);
  });

  it('matches patterns in linear time, and rejects large ones', () => {
    assert.equal(run('text.matches("(a?){30}a{30}b")'), false);
    assert.equal(run('text.matches("^(a+)+$")'), true);
    assert.match(String(run(`text.matches("${'a'.repeat(1001)}")`)), /longer than 1000 characters/);
    assert.match(String(run('"a".matches("(((a{30}){30}){30})")')), /error parsing regexp|too large/);
  });

  it('rejects strings that are too long to be numbers without parsing them', () => {
    assert.equal(
      run('int(text)'),
      'CEL evaluation failed: cannot convert a string of 1048576 characters to int',
    );
  });

  it('permits ordinary work over thousands of elements', () => {
    const some = { numbers: numbers.slice(0, 10_000), text };
    assert.equal(run('numbers.filter(x, x % 2 == 0).map(x, x * 2).size()', some), 5_000n);
    assert.equal(run('numbers.map(x, string(x)).join(",").size()', some), 48_889n);
    assert.equal(run('text.replace("b", "c").size() + text.split("b").size()'), 1_048_577n);
  });

  it('resets for each evaluation', () => {
    assert.equal(run('numbers.all(x, numbers.exists(y, true))'), tooCostly);
    assert.equal(run('1 + 1'), 2n);
  });

  it('limits the size and nesting of expressions', () => {
    assert.equal(
      run(`"${'x'.repeat(5_000_000)}"`),
      'CEL parse error: the expression is longer than 4096 characters',
    );
    assert.equal(run('!'.repeat(2_001) + 'true'), false);
    assert.match(
      String(run('['.repeat(300) + ']'.repeat(300))),
      /^CEL parse error: .*nested deeper than 200 levels$/,
    );
    assert.match(String(run('['.repeat(2_000) + ']'.repeat(2_000))), /nested deeper than 200 levels$/);
  });
});

describe('map and filter', () => {
  it('do not modify the lists that they read', () => {
    assert.equal(run('[[1, 2].map(x, x), [1, 2].map(x, x) + [3]].map(l, l.size()) == [2, 3]'), true);
    assert.equal(run('[1, 2].map(x, [3].map(y, x + y)) == [[4], [5]]'), true);
    assert.equal(run('[1, 2, 3].filter(x, x > 1).filter(x, x < 3) == [2]'), true);
  });
});
