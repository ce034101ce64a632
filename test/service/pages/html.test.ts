import assert from 'node:assert/strict';
import { html } from '../../../service/pages/html.ts';

describe('html', () => {
  it('escapes text in elements and attributes', () => {
    const hostile = `<script>alert("1")</script>' onclick='x & y`;
    const { markup } = html`<p title="${hostile}">${hostile}</p>`;
    const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; onclick=&#39;x &amp; y';
    assert.equal(markup, `<p title="${escaped}">${escaped}</p>`);
  });

  it('inserts its own markup unchanged, single or in lists', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    const rule = html`<hr />`;
    assert.equal(html`${items}${rule}`.markup, '<li>a</li><li>&lt;b&gt;</li><hr />');
  });

  it('accepts numbers', () => {
    assert.equal(html`${0} of ${12}`.markup, '0 of 12');
  });
});
