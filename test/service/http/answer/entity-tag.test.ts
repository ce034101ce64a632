import assert from 'node:assert/strict';
import { namesEntity } from '../../../../service/http/answer/entity-tag.ts';

describe('If-None-Match', () => {
  it('matches a quoted tag, weak or strong, in a list, and *', () => {
    for (const header of ['"a1"', 'W/"a1"', '"b2", "a1"', '"b2",W/"a1"', '*', ' "a1" ']) {
      assert.ok(namesEntity(header, 'a1'), header);
    }
  });

  it('matches no other tag', () => {
    for (const header of [undefined, '', 'a1', '"a"', '"a12"', '"b2"']) {
      assert.ok(!namesEntity(header, 'a1'), String(header));
    }
  });
});
