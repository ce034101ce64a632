import assert from 'node:assert/strict';
import fc from 'fast-check';
import { docComment, prose } from '../../../../generator/languages/rust/doc-comment.ts';
import { bytesLiteral, stringLiteral } from '../../../../generator/languages/rust/literals.ts';
import { cargoFolder, runCargo, writeFiles } from '../../../support/cargo.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

describe('Rust texts', () => {
  it('form literals without invisible characters', () => {
    assert.equal(stringLiteral('plain'), '"plain"');
    assert.equal(stringLiteral('say "hi" \\ {}'), String.raw`"say \"hi\" \\ {}"`);
    assert.equal(stringLiteral('a\u202eb\n\u{e0041}\ud800'), String.raw`"a\u{202e}b\n\u{e0041}\u{fffd}"`);
    assert.equal(bytesLiteral(Uint8Array.of(0, 34, 65, 255)), String.raw`b"\x00\"A\xff"`);
  });

  it('escape Markdown in comments, except URLs', () => {
    assert.equal(docComment(prose('Use `x` of [y] <T>.'), 0), String.raw`/// Use \`x\` of \[y\] \<T\>.`);
    assert.equal(docComment(prose('See (https://example.com/a).'), 0), '/// See (<https://example.com/a>).');
    assert.equal(docComment(prose('x https://ex[ample'), 0), String.raw`/// x https\://ex\[ample`);
    assert.equal(docComment(prose('- one\n\n1. two'), 4), '    /// \\- one\n    ///\n    /// 1\\. two');
  });

  it('never start a list on a wrapped line', () => {
    const folded = docComment(prose(`${'word '.repeat(19)}- and 1. more ${'word '.repeat(20)}`), 0);
    for (const line of folded.split('\n')) assert.match(line, /^\/\/\/ (?![-+=]|\d+[.)])/);
  });
});

suiteNeeds('rust', 'Rust texts read by Rust', function () {
  this.timeout(300_000);

  const nasty = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '"',
          "'",
          '"#',
          '\\',
          '\n',
          '\r',
          '\t',
          '{',
          '}',
          '\\u{41}',
          '*/',
          '//',
          '#',
          '`',
          '[a]',
          ' ',
        ),
        fc.constantFrom(
          '\u202e',
          '\u2028',
          '\u0085',
          '\u0000',
          '\u007f',
          '\ufeff',
          'é',
          '日',
          '😀',
          '```\n',
          '<T>',
        ),
        fc.string({ unit: 'binary', maxLength: 3 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('').toWellFormed());

  it('evaluate to the original text and stay within their comments', async () => {
    const texts = fc.sample(nasty, { numRuns: 1_000, seed: 5 });
    const rows = texts.map((text) => {
      const bytes = Array.from(Buffer.from(text)).join(', ');
      return `${docComment(prose(text), 4)}\n    (${stringLiteral(text)}, &[${bytes}]),`;
    });
    const program = [
      'fn main() {',
      '    let texts: &[(&str, &[u8])] = &[',
      // Expressions cannot have doc comments, so these are plain comments.
      ...rows.map((row) => row.replaceAll(/^( *)\/\/\//gm, '$1//')),
      '    ];',
      '    for (text, bytes) in texts {',
      '        assert_eq!(text.as_bytes(), *bytes);',
      '    }',
      `    assert_eq!(texts.len(), ${texts.length});`,
      '}',
      ...texts.map((text, index) => `${docComment([...prose(text), 'End.'], 0)}\npub struct S${index};`),
    ].join('\n');
    const folder = await cargoFolder('texts');
    await writeFiles(folder, [{ path: 'texts.rs', content: program }]);
    const compile = [
      '--edition',
      '2024',
      '-D',
      'text_direction_codepoint_in_comment',
      '-A',
      'dead_code',
      'texts.rs',
    ];
    const compiled = await runCargo(compile, { cwd: folder, program: 'rustc' });
    assert.equal(compiled.code, 0, compiled.output.slice(0, 4_000));
    const { code, output } = await runCargo([], { cwd: folder, program: './texts' });
    assert.equal(code, 0, output);
    const documented = await runCargo(['--edition', '2024', '-D', 'warnings', 'texts.rs'], {
      cwd: folder,
      program: 'rustdoc',
    });
    assert.equal(documented.code, 0, documented.output.slice(0, 4_000));
  });
});
