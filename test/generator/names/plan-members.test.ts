import assert from 'node:assert/strict';
import { firstSeenIn } from '../../../generator/changes/first-seen.ts';
import { planMembers } from '../../../generator/names/plan-members.ts';
import { loadSdkFixture } from '../../support/sdk-fixtures.ts';

describe('names of members', () => {
  it('are unique by the rules of the scope, with priority for older members', async () => {
    const [member] = (await loadSdkFixture('basic')).members;
    assert.ok(member);
    const members = ['B', 'a', 'b', 'con'].map((alias) => ({ ...member, alias }));
    const appeared = { version: 2, members: ['B'], types: [], parts: [] };
    const names = planMembers(members, (alias) => ({ intended: alias }), {
      rules: { reserved: new Set(['con']), caseInsensitive: true },
      firstSeen: firstSeenIn({ firstSeen: [appeared] }),
    });
    assert.deepEqual(Object.fromEntries(names), { a: 'a', b: 'b', con: 'con_', B: 'B2' });
  });
});
