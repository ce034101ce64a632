import assert from 'node:assert/strict';
import { nextSemver } from '../../../generator/changes/next-semver.ts';

describe('the next semantic version', () => {
  it('starts at 1.0.0', () => {
    assert.equal(nextSemver(undefined, 'patch'), '1.0.0');
  });

  it('increments the patch, minor or major number', () => {
    assert.equal(nextSemver('1.2.3', 'patch'), '1.2.4');
    assert.equal(nextSemver('1.2.3', 'minor'), '1.3.0');
    assert.equal(nextSemver('1.2.3', 'major'), '2.0.0');
  });

  it('rejects an invalid version', () => {
    assert.throws(() => nextSemver('1.2', 'patch'), /not a semantic version: "1\.2"/);
  });
});
