import assert from 'node:assert/strict';
import { findBoxed } from '../../../../generator/languages/rust/recursion.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

/** The model of a first version. */
const fromTheFirst = { part: () => 1 };

describe('recursive messages in Rust', () => {
  it('are boxed, except in lists and maps', async () => {
    const { types } = await loadSdkFixture('nesting-recursion');
    const boxed = findBoxed(types, fromTheFirst);
    assert.deepEqual([...(boxed.get('acme.trees.v1.Tree') ?? [])], ['left', 'right']);
    assert.deepEqual([...(boxed.get('acme.trees.v1.Question') ?? [])], ['accepted']);
    assert.deepEqual([...(boxed.get('acme.trees.v1.Answer') ?? [])], ['follow_up', 'of', 'after']);
    assert.deepEqual([...(boxed.get('acme.trees.v1.Tree.Walk') ?? [])], []);
  });

  it('are found in long chains', () => {
    const count = 20_000;
    const messages = Array.from({ length: count }, (_, index) => ({
      fullName: `m${index}`,
      name: `m${index}`,
      comment: '',
      deprecated: false,
      oneofs: [],
      fields: [holding('next', `m${index < count / 2 ? index + 1 : count / 2}`)],
    }));
    const boxed = findBoxed({ messages, enums: [] }, fromTheFirst);
    const own = [...boxed].filter(([, fields]) => fields.size > 0).map(([name]) => name);
    assert.deepEqual(own, [`m${count / 2}`]);
  });

  it('keep older fields unboxed when a newer field closes a cycle', () => {
    const message = (fullName: string, field: string, target: string) => ({
      fullName,
      name: fullName,
      comment: '',
      deprecated: false,
      oneofs: [],
      fields: [holding(field, target)],
    });
    const messages = [message('A', 'b', 'B'), message('B', 'c', 'C'), message('C', 'a', 'A')];
    const namesAt = (newest: string) =>
      [...findBoxed({ messages, enums: [] }, { part: (type) => (type === newest ? 2 : 1) })].flatMap(
        ([name, fields]) => [...fields].map((field) => `${name}.${field}`),
      );
    assert.deepEqual(namesAt('C'), ['C.a']);
    assert.deepEqual(namesAt('A'), ['A.b']);
    assert.deepEqual(namesAt(''), ['A.b', 'B.c', 'C.a']);
  });
});

function holding(name: string, fullName: string) {
  return {
    name,
    jsonName: name,
    number: 1,
    comment: '',
    deprecated: false,
    cardinality: 'single' as const,
    type: { kind: 'message' as const, fullName },
  };
}
