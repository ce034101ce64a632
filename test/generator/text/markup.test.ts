import assert from 'node:assert/strict';
import { escapeMarkup } from '../../../generator/text/markup.ts';

describe('text in markup', () => {
  it('cannot close an element, attribute or entity', () => {
    assert.equal(escapeMarkup(`</a b="c" d='e'>&lt;`), '&lt;/a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;lt;');
  });

  it('is otherwise unchanged', () => {
    assert.equal(escapeMarkup('größe = 1; {x}\n`'), 'größe = 1; {x}\n`');
  });
});
