import assert from 'node:assert/strict';
import { rustSdk } from '../../../../generator/languages/rust/rust-sdk.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

describe('samples in Rust', () => {
  it('build a repeated message field as an array', async () => {
    const { model, samples } = rustSdk(await loadSdkFixture('nesting-recursion'));
    const walk = model.members.find(({ alias }) => alias === 'walk') ?? assert.fail('no such member');
    const sample = {
      others: [{ name: 'an oak of the forest', left: { name: 'a leaf' } }, { name: 'a beech' }],
    };
    const { statements, value } = samples.of({ ...walk, sample });
    const others = [
      '    let others = [',
      '        messages::Tree::new()',
      '            .with_name("an oak of the forest")',
      '            .with_left(left),',
      '        messages::Tree::new().with_name("a beech"),',
      '    ];',
    ];
    assert.deepEqual(statements, [
      '    let left = messages::Tree::new().with_name("a leaf");',
      others.join('\n'),
    ]);
    assert.deepEqual(value, { root: 'messages::Tree::new()', links: ['with_others(others)'] });
  });
});
