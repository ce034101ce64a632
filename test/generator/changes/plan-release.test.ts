import assert from 'node:assert/strict';
import { firstSeenIn } from '../../../generator/changes/first-seen.ts';
import { planRelease, type PlannedRelease } from '../../../generator/changes/plan-release.ts';
import type { NamedSurface } from '../../../generator/model/sdk-model.ts';
import { itSlow } from '../../support/fast-run.ts';
import { surfaceOfProto } from '../../support/proto-surface.ts';

const first = 'message Receipt { string id = 1; }';
const second =
  'message Receipt { string id = 1; string note = 2; Item item = 3; } message Item { string id = 1; }';

describe('a release', () => {
  it('starts at 1.0.0 and lists its calls as added', async () => {
    const surface = await surfaceOfProto(first, [{ alias: 'a' }]);
    assert.deepEqual(planRelease(1, surface, undefined), {
      semver: '1.0.0',
      release: {
        semver: '1.0.0',
        version: 1,
        added: ['Call "a" (node Node of acme/orders 1.0.0).'],
        changed: [],
        removed: [],
      },
      firstSeen: [],
    });
  });

  itSlow('increments the version according to the changes since the previous release', async () => {
    const surfaces = [
      await surfaceOfProto(first, [{ alias: 'a' }]),
      await surfaceOfProto(first, [{ alias: 'a', comment: 'Better.' }]),
      await surfaceOfProto(second, [{ alias: 'a' }]),
      await surfaceOfProto(second, [{ alias: 'b' }]),
    ];
    assert.deepEqual(
      releases(surfaces).map(({ semver }) => semver),
      ['1.0.0', '1.0.1', '1.1.0', '2.0.0'],
    );
  });

  it('records the version in which each symbol first appeared', async () => {
    const surfaces = [
      await surfaceOfProto(first, [{ alias: 'a' }]),
      await surfaceOfProto(second, [{ alias: 'a' }, { alias: 'b' }]),
      await surfaceOfProto(second, [{ alias: 'b' }]),
      await surfaceOfProto(second, [{ alias: 'a' }, { alias: 'b' }]),
    ];
    const last = releases(surfaces).at(-1)!;
    assert.deepEqual(last.firstSeen, [
      {
        version: 2,
        members: ['b'],
        types: ['acme.v1.Item'],
        parts: ['acme.v1.Receipt.item', 'acme.v1.Receipt.note'],
      },
      { version: 4, members: ['a'], types: [], parts: [] },
    ]);
    const since = firstSeenIn(last);
    assert.deepEqual([since.member('a'), since.member('b'), since.type('acme.v1.Receipt')], [4, 2, 1]);
    assert.deepEqual([since.part('acme.v1.Receipt', 'note'), since.part('acme.v1.Receipt', 'id')], [2, 1]);
    assert.equal(since.part('acme.v1.Item', 'id'), 2);
  });
});

/** Returns the releases of a client whose versions have these surfaces. */
function releases(surfaces: readonly NamedSurface[]): PlannedRelease[] {
  const planned: PlannedRelease[] = [];
  for (const [index, surface] of surfaces.entries()) {
    const before = planned.at(-1);
    const previous = before && { ...before, surface: surfaces[index - 1]! };
    planned.push(planRelease(index + 1, surface, previous));
  }
  return planned;
}
