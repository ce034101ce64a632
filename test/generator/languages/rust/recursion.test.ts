import assert from 'node:assert/strict';
import { findBoxed } from '../../../../generator/rust/recursion.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

describe('messages that hold themselves in Rust', () => {
  it('are boxed where they hold themselves, and not in lists and maps', async () => {
    const { types } = await loadSdkFixture('nesting-recursion');
    const boxed = findBoxed(types);
    assert.deepEqual([...(boxed.get('acme.trees.v1.Tree') ?? [])], ['left', 'right']);
    assert.deepEqual([...(boxed.get('acme.trees.v1.Question') ?? [])], ['accepted']);
    assert.deepEqual([...(boxed.get('acme.trees.v1.Answer') ?? [])], ['follow_up', 'of', 'after']);
    assert.deepEqual([...(boxed.get('acme.trees.v1.Tree.Walk') ?? [])], []);
  });

  it('are found in chains of any length', () => {
    const count = 20_000;
    const messages = Array.from({ length: count }, (_, index) => ({
      fullName: `m${index}`,
      name: `m${index}`,
      comment: '',
      deprecated: false,
      oneofs: [],
      fields: [
        {
          name: 'next',
          jsonName: 'next',
          number: 1,
          comment: '',
          deprecated: false,
          cardinality: 'single' as const,
          type: { kind: 'message' as const, fullName: `m${index < count / 2 ? index + 1 : count / 2}` },
        },
      ],
    }));
    const boxed = findBoxed({ messages, enums: [] });
    const own = [...boxed].filter(([, fields]) => fields.size > 0).map(([name]) => name);
    assert.deepEqual(own, [`m${count / 2}`]);
  });
});
