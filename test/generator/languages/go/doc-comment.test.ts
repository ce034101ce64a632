import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { docComment } from '../../../../generator/languages/go/doc-comment.ts';
import { describeSymbol } from '../../../../generator/documents/describe-symbol.ts';
import { runGo } from '../../../support/go-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

describe('doc comments in Go', () => {
  it('separate paragraphs and wrap long lines', () => {
    assert.equal(docComment(['One.\nTwo.', '', 'Three.']), '// One.\n// Two.\n//\n// Three.');
    const folded = docComment([`Word ${'means this and '.repeat(12)}that.`]).split('\n');
    assert.ok(folded.length > 2 && folded.every((line) => line.length <= 80), folded.join('\n'));
  });

  it('keep a long name and its verb on one line', () => {
    const name = 'A'.repeat(90);
    assert.match(docComment([`${name} is the message of a test.`]), new RegExp(`^// ${name} is`));
  });

  it('escape headings, links, lists and build constraints', () => {
    assert.equal(
      docComment(['First.\n\n# heading\n\n[a]: https://example.com\n\nA title\n\n  - item\n\n+build x']),
      [
        '// First.',
        '//',
        '// \\# heading.',
        '//',
        '// \\[a]: https://example.com.',
        '//',
        '// A title.',
        '//',
        '// - item.',
        '//',
        '// \\+build x',
      ].join('\n'),
    );
  });

  it('deprecate only what the proto deprecates', () => {
    assert.equal(docComment(['Deprecated: use B.']), '// Note: Deprecated: use B.');
    const [, own] = describeSymbol({ comment: 'Old.', deprecated: true });
    assert.equal(docComment([own ?? '']), '// Deprecated: the proto marks it as such.');
  });
});

suiteNeeds('go', 'doc comments in Go under gofmt', function () {
  this.timeout(180_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-go-comments-'));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('are unchanged for any text', async () => {
    const pieces = fc.oneof(
      fc.constantFrom(
        ...[
          '\n',
          '\n\n',
          ' ',
          '  ',
          '\t',
          '# ',
          '- ',
          '* ',
          '1. ',
          '[a]: http://x',
          '``',
          "''",
          '`',
          "'",
          '{',
          '}',
        ],
        ...[
          '\\',
          '//',
          '/*',
          '*/',
          'go:build x',
          '+build',
          'Deprecated: x',
          'Title',
          'Word',
          'word',
          'é',
          '•',
          '\u3000',
        ],
        ...['\r\n', '\u2028', '\u202e', '\ufeff', '[Word]', 'http://example.com', 'BUG(x): ', 'Output:'],
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    const text = fc.array(pieces, { minLength: 1, maxLength: 30 }).map((all) => all.join(''));
    const texts = fc.sample(text, { numRuns: 1_500, seed: 20_260_131 }).filter((each) => each.trim() !== '');
    const declarations = texts.map((each, index) => {
      const comment = docComment([`V${index} is.`, each]);
      const field = docComment([each, 'x'], 1);
      return `${comment}\nvar V${index} struct {\n\t${field}\n\tA int\n}\n`;
    });
    await writeFile(path.join(folder, 'comments.go'), `package a\n\n${declarations.join('\n')}`);
    const { code, output } = await runGo('gofmt', ['-d', '.'], folder);
    assert.equal(code, 0, output.slice(0, 2_000));
    assert.equal(output, '');
  });
});
