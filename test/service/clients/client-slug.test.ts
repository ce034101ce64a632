import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clientSlug, freeSlug } from '../../../service/clients/client-slug.ts';
import { itSlow } from '../../support/fast-run.ts';

describe('the slug of a client', () => {
  it('contains lowercase letters and digits, separated by hyphens', () => {
    assert.equal(clientSlug('Acme  Orders (v2)!'), 'acme-orders-v2');
    assert.equal(clientSlug('Café Ünïcode ﬁne'), 'cafe-unicode-fine');
  });

  it('is "client" for a name without usable characters', () => {
    for (const name of ['', '💥', '---', '../../', '东京', '\u202e'])
      assert.equal(clientSlug(name), 'client');
  });

  itSlow('is valid for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const slug = clientSlug(name);
        assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
        assert.ok(slug.length <= 60);
      }),
    );
  });

  it('has the first free suffix', () => {
    assert.equal(freeSlug('a', new Set()), 'a');
    assert.equal(freeSlug('a', new Set(['a'])), 'a-2');
    assert.equal(freeSlug('a', new Set(['a', 'a-2', 'a-4'])), 'a-3');
  });
});
