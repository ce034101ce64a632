import assert from 'node:assert/strict';
import { namesEntity } from '../../../service/http/entity-tag.ts';

describe('If-None-Match', () => {
  it('names an entity by its quoted tag, among others, weak or strong, or by a star', () => {
    for (const header of ['"a1"', 'W/"a1"', '"b2", "a1"', '"b2",W/"a1"', '*', ' "a1" ']) {
      assert.ok(namesEntity(header, 'a1'), header);
    }
  });

  it('names no other', () => {
    for (const header of [undefined, '', 'a1', '"a"', '"a12"', '"b2"']) {
      assert.ok(!namesEntity(header, 'a1'), String(header));
    }
  });
});
