import assert from 'node:assert/strict';
import { createReachWords } from '../../../generator/names/reach-words.ts';
import { surfaceOfProto } from '../../support/proto-surface.ts';

const { types } = await surfaceOfProto(
  `message Receipt { Item item = 1; Plain plain = 2; }
   message Item { string name = 1; string other = 2; }
   message Plain {}`,
  [{ alias: 'a' }],
);

const named = {
  types: new Map([
    ['acme.v1.Receipt', 'Receipt'],
    ['acme.v1.Item', 'Item'],
    ['acme.v1.Plain', 'Plain'],
  ]),
  parts: [new Map([['acme.v1.Item', new Map([['name', 'a'], ['other', 'b']])]])], // prettier-ignore
};

describe('the words of a type and what it reaches', () => {
  const words = createReachWords(types, named);

  it('are the same for the same names', () => {
    assert.equal(createReachWords(types, named)('acme.v1.Receipt'), words('acme.v1.Receipt'));
  });

  it('are others when a type that is reached has another name, or a part of it', () => {
    const renamed = { ...named, types: new Map([...named.types, ['acme.v1.Item', 'OtherItem']]) };
    const swapped = {
      ...named,
      parts: [new Map([['acme.v1.Item', new Map([['other', 'a'], ['name', 'b']])]])], // prettier-ignore
    };
    for (const other of [renamed, swapped]) {
      const others = createReachWords(types, other);
      assert.notEqual(others('acme.v1.Receipt'), words('acme.v1.Receipt'));
      assert.equal(others('acme.v1.Plain'), words('acme.v1.Plain'));
    }
  });
});
