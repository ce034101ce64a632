import assert from 'node:assert/strict';
import { scanSources } from '../../../../service/messages/compile/scan-sources.ts';
import { limits } from '../../../../specs/limits.ts';

const header = 'syntax = "proto3";\n';

function problemOf(source: string): string | undefined {
  const [problem] = scanSources({ 'a.proto': source });
  return problem && `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`;
}

function nested(levels: number, open = 'message M {\n', close = '}'): string {
  return header + open.repeat(levels) + close.repeat(levels);
}

describe('scanning proto sources', () => {
  it('rejects declarations that are nested too deeply, with their position', () => {
    assert.equal(problemOf(nested(limits.protoNesting)), undefined);
    assert.equal(
      problemOf(nested(limits.protoNesting + 1)),
      'a.proto:66:11: declarations nest deeper than 64 levels: declare the inner ones at the top',
    );
    assert.match(problemOf(nested(100_000, 'message M{'))!, /^a\.proto:2:650: declarations nest deeper/);
    assert.match(problemOf(nested(65, 'option (o) = [\n', ']'))!, /nest deeper/);
  });

  it('ignores brackets in comments and strings', () => {
    const brackets = '{'.repeat(100);
    const sources = [
      `// ${brackets}`,
      `/* ${brackets}\n${brackets} */`,
      `option java_package = "${brackets}";`,
      `option java_package = '\\'${brackets}';`,
      `option java_package = "\\"${brackets}";`,
      `/* ${brackets}`,
    ];
    for (const source of sources) assert.equal(problemOf(source), undefined, source);
    assert.match(problemOf(`// /*\n"'"\n${brackets}`)!, /^a\.proto:3:65: /);
    assert.match(problemOf(`/*\n*/ ${brackets}`)!, /^a\.proto:2:68: /);
  });

  it('scans the rest of a line after a string', () => {
    for (const quote of ['"', "'"]) {
      const text = `option java_package = ${quote}a${quote}; `;
      assert.match(problemOf(text + 'message M {'.repeat(65))!, /^a\.proto:1:\d+: declarations nest deeper/);
      const statements = `${text}\n`.repeat(limits.protoStatements);
      assert.equal(problemOf(statements), undefined);
      assert.match(problemOf(statements + text)!, /more than \d+ statements/);
    }
  });

  it('tolerates unmatched closing brackets, which the compiler reports', () => {
    assert.equal(problemOf(`${'}'.repeat(10)}${nested(64)}`), undefined);
    assert.match(problemOf(`${'}'.repeat(10)}${nested(65)}`)!, /nest deeper/);
  });

  it('rejects more statements than the limit across all sources', () => {
    const messages = (count: number): string => 'message M {}\n'.repeat(count);
    const half = limits.protoStatements / 2;
    assert.deepEqual(scanSources({ 'a.proto': messages(half), 'b.proto': messages(half) }), []);
    assert.deepEqual(scanSources({ 'a.proto': messages(half), 'b.proto': messages(half + 1) }), [
      {
        file: 'b.proto',
        line: 10_001,
        column: 11,
        message:
          'the sources have more than 20000 statements (messages, fields, enum values and others): split the package',
      },
    ]);
  });

  it('counts a map field as four statements', () => {
    const maps = (count: number): string => 'map<string, string> m = 1;\n'.repeat(count);
    assert.equal(problemOf(maps(limits.protoStatements / 4)), undefined);
    assert.match(problemOf(maps(limits.protoStatements / 4 + 1))!, /more than 20000 statements/);
  });

  it('rejects names that are too long', () => {
    const name = 'x'.repeat(limits.protoNameCharacters);
    assert.equal(problemOf(`message ${name} {}`), undefined);
    assert.equal(
      problemOf(`message ${name}x {}`),
      'a.proto:1:9: the name is longer than 255 characters: shorten it',
    );
    assert.equal(problemOf(`// ${name}x\noption java_package = "${name}x";`), undefined);
  });

  it('rejects long lines with many tokens, which take the compiler quadratic time', () => {
    const fields = (count: number, separator: string): string =>
      `message M {${Array.from({ length: count }, (_, i) => `string f${i} = ${i};`).join(separator)}}`;
    assert.equal(problemOf(fields(1_000, ' ')), undefined);
    assert.equal(problemOf(fields(10_000, '\n')), undefined);
    assert.match(
      problemOf(fields(10_000, ' '))!,
      /^a\.proto:1:\d+: the lines are too long to compile in time: break the line after each statement$/,
    );
  });
});
