import assert from 'node:assert/strict';
import { latestVersion, newestFirst } from '../../../service/nodes/latest-version.ts';

describe('versions of a package', () => {
  it('resolve latest to the highest release, or else to the highest pre-release', () => {
    const cases: [string[], string | undefined][] = [
      [[], undefined],
      [['1.9.0', '1.10.0', '1.2.3'], '1.10.0'],
      [['1.0.0', '2.0.0-rc.1'], '1.0.0'],
      [['2.0.0-rc.1', '1.0.0'], '1.0.0'],
      [['1.0.0-rc.2', '1.0.0-rc.10', '1.0.0-beta'], '1.0.0-rc.10'],
      // The order of semver ignores build metadata: the first of them counts.
      [['1.0.0+two', '1.0.0+one'], '1.0.0+two'],
    ];
    for (const [versions, latest] of cases) assert.equal(latestVersion(versions), latest, versions.join());
  });

  it('are sorted by semver', () => {
    assert.deepEqual(newestFirst(['1.0.0', '1.10.0', '1.9.0+b', '1.9.0+a', '2.0.0-rc.1']), [
      '2.0.0-rc.1',
      '1.10.0',
      '1.9.0+b',
      '1.9.0+a',
      '1.0.0',
    ]);
  });
});
