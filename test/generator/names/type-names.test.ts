import assert from 'node:assert/strict';
import type { TypeModel } from '../../../specs/messages/message-model.ts';
import { firstSeenIn } from '../../../generator/changes/first-seen.ts';
import { planScope } from '../../../generator/names/plan-scope.ts';
import { typeNameRequests } from '../../../generator/names/type-names.ts';
import { loadSdkFixture } from '../../support/sdk-fixtures.ts';

describe('names of types', () => {
  it('include the names of enclosing types', async () => {
    const names = planTypes((await loadSdkFixture('nesting-recursion')).types);
    assert.equal(names.get('acme.trees.v1.Tree.Walk.Summary.Kind'), 'TreeWalkSummaryKind');
  });

  it('include parts of the package only where types would otherwise clash', async () => {
    const names = planTypes((await loadSdkFixture('two-packages')).types);
    assert.deepEqual(
      [...names].filter(([fullName]) => fullName.endsWith('.Word')),
      [
        ['acme.text.v1.Word', 'Word'],
        ['acme_text_1_1_0.acme.text.v1.Word', 'TextWord'],
        ['beta.words.v2.Word', 'WordsWord'],
      ],
    );
  });
});

function planTypes(types: TypeModel): ReadonlyMap<string, string> {
  return new Map(
    [...planScope(typeNameRequests(types, firstSeenIn({ firstSeen: [] })), { reserved: new Set() })].sort(),
  );
}
