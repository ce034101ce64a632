import assert from 'node:assert/strict';
import fc from 'fast-check';
import markdownIt from 'markdown-it';
import { format } from 'prettier';
import { foldLines } from '../../../generator/text/fold-lines.ts';
import { markdownBlock, markdownCode, markdownText } from '../../../generator/text/markdown.ts';
import { showInvisible } from '../../../generator/text/show-invisible.ts';

const reader = markdownIt({ html: true });

/** Texts of characters with a meaning in Markdown, so that random texts often contain markup. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...[
        '*',
        '_',
        '**',
        '__',
        '`',
        '```',
        '~~',
        '[',
        ']',
        '(',
        ')',
        '!',
        '<',
        '>',
        '&',
        '#',
        '-',
        '+',
        '1.',
        '1)',
      ],
      ...[
        '\\',
        '|',
        '{{',
        '}}',
        '{%',
        '%}',
        ' ',
        '  ',
        '\n',
        'a',
        'b1',
        '=',
        ':',
        '$',
        '"',
        "'",
        '.',
        '/',
        '@',
        '^',
      ],
      ...[
        '<b>',
        '&lt;',
        'é',
        '漢',
        '🚀',
        '—',
        '\u202e',
        '\u2028',
        'a_b',
        '*a*',
        '_a_',
        '[a](b)',
        '<!--',
        '$x$',
      ],
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('untrusted text in Markdown', () => {
  it('renders verbatim as prose', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        assert.deepEqual(read(markdownText(text)), tokensOf(visible(text)));
        assert.deepEqual(read(`- ${markdownText(text) || 'x'}`), tokensOf(visible(text) || 'x'));
        assert.deepEqual(read(`# a ${markdownText(text)}`), tokensOf(`a ${visible(text)}`.trim()));
      }),
      { numRuns: 300 },
    );
  });

  it('renders verbatim as code', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = visible(text);
        const expected = shown === '' ? [['code_inline', ' ']] : [['code_inline', shown]];
        assert.deepEqual(read(`a ${markdownCode(text)}`).slice(1), expected);
      }),
      { numRuns: 300 },
    );
  });

  it('cannot close a code block', () => {
    const code = 'a\n```\n````\nb\n';
    const [fence, ...rest] = reader.parse(markdownBlock(code, 'ts'), {});
    assert.deepEqual([fence?.type, fence?.content, fence?.info, rest], ['fence', code, 'ts', []]);
  });

  it('is left unchanged by prettier', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const prose = markdownText(text) || 'x';
        const document = `# ${markdownCode(text)}\n\n${prose}\n\n- ${markdownCode(text)}: ${prose}\n- ${prose}\n`;
        assert.equal(await format(document, { parser: 'markdown' }), document);
      }),
      { numRuns: 300 },
    );
  });
});

function visible(text: string): string {
  return showInvisible(foldLines(text));
}

/** Returns the inline tokens of a document with one block, as `[type, content]`. Escapes are joined to the surrounding text. */
function read(markdown: string): [type: string, content: string][] {
  const found: [string, string][] = [];
  for (const { type, content } of reader.parse(markdown, {}).flatMap(({ children }) => children ?? [])) {
    const last = found.at(-1);
    if (type === 'text' && last?.[0] === 'text') last[1] += content;
    else if (content !== '' || type !== 'text') found.push([type, content]);
  }
  return found;
}

function tokensOf(text: string): [type: string, content: string][] {
  return text === '' ? [] : [['text', text]];
}
