import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, type Expression, printExpression } from '../../../../generator/languages/go/expressions.ts';
import { bytesLiteral, quotedLiteral, stringLiteral } from '../../../../generator/languages/go/literals.ts';
import { runGo } from '../../../support/go-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

describe('Go texts', () => {
  it('quote a string with as few escapes as possible', () => {
    assert.equal(stringLiteral('plain'), '"plain"');
    assert.equal(stringLiteral('{"a":1}'), '`{"a":1}`');
    assert.equal(quotedLiteral('{"a":1}'), '"{\\"a\\":1}"');
    assert.equal(stringLiteral('a`"'), '"a`\\""');
    assert.equal(stringLiteral('größe'), '"größe"');
    assert.equal(stringLiteral('"\u202e"'), '"\\"\\u202e\\""');
    assert.equal(stringLiteral('\u{e0041}\n'), '"\\U000e0041\\n"');
    assert.equal(bytesLiteral(Uint8Array.of(0, 34, 65, 255)), '[]byte("\\x00\\"A\\xff")');
  });

  it('break a long expression into one item per line', () => {
    const short: Expression = { open: '&a.B{', items: [{ key: 'C', value: '1' }], close: '}' };
    assert.equal(printExpression(short, 0, 0), '&a.B{C: 1}');
    const long: Expression = {
      open: '&a.B{',
      items: [
        { key: 'Text', value: `"${'x'.repeat(90)}"` },
        { key: 'N', value: '1' },
      ],
      close: '}',
    };
    assert.equal(printExpression(long, 0, 0), `&a.B{\n\tText: "${'x'.repeat(90)}",\n\tN:    1,\n}`);
  });
});

suiteNeeds('go', 'Go texts under the Go tools', function () {
  this.timeout(300_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-go-texts-'));
    await writeFile(path.join(folder, 'go.mod'), 'module example.com/texts\n\ngo 1.24\n');
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('align the values of multiline literals like gofmt', async () => {
    const key = fc.oneof(
      fc.integer({ min: 1, max: 120 }).map((length) => `"${'k'.repeat(length)}"`),
      fc.constantFrom('"größe"', '"日本語"'),
    );
    const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
      expression: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.integer({ min: 1, max: 60 }).map((length) => `"${'v'.repeat(length)}"`),
        fc.array(fc.tuple(key, tie('expression')), { maxLength: 12 }).map((items): Expression => ({
          open: 'map[string]any{',
          items: items.map(([name, value]) => ({ key: name, value })),
          close: '}',
        })),
        fc.array(tie('expression'), { minLength: 1, maxLength: 4 }).map((items) => call('f', items)),
      ),
    }));
    const printed = fc
      .sample(expression, { numRuns: 800, seed: 20_260_131 })
      .map((each, index) => `var v${index} = ${printExpression(each, 0, `var v${index} = `.length)}\n`);
    await writeFile(path.join(folder, 'values.go'), `package texts\n\n${printed.join('\n')}`);
    const { code, output } = await runGo('gofmt', ['-d', 'values.go'], folder);
    assert.equal(code, 0, output.slice(0, 2_000));
    assert.equal(output.slice(0, 2_000), '');
    await rm(path.join(folder, 'values.go'));
  });

  it('evaluate to the original text', async () => {
    const texts = fc
      .sample(fc.string({ unit: 'binary', maxLength: 12 }), { numRuns: 600, seed: 20_260_131 })
      .map((text) => text.toWellFormed())
      .concat(['`"', '"\r\n"', '\ufeff"', '\u2028"', "it's", '\\u0041', '${x}', '%s']);
    const lines = texts.flatMap((text) => [
      `\t\t{${stringLiteral(text)}, ${JSON.stringify(Buffer.from(text).toString('hex'))}},`,
      `\t\t{${quotedLiteral(text)}, ${JSON.stringify(Buffer.from(text).toString('hex'))}},`,
      `\t\t{string(${bytesLiteral(Buffer.from(text))}), ${JSON.stringify(Buffer.from(text).toString('hex'))}},`,
    ]);
    const program = [
      'package main\n\nimport "fmt"\n\nfunc main() {\n\tfor i, pair := range [][2]string{',
      ...lines,
      '\t} {\n\t\tif fmt.Sprintf("%x", pair[0]) != pair[1] {\n\t\t\tfmt.Println(i, pair)\n\t\t}\n\t}\n}',
    ];
    await writeFile(path.join(folder, 'main.go'), program.join('\n'));
    assert.deepEqual(await runGo('go', ['run', '.'], folder), { code: 0, output: '' });
  });
});
