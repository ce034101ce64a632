import assert from 'node:assert/strict';
import { sdkModelOfVersion } from '../../../service/builds/sdk-model-of-version.ts';
import { createVersionModels } from '../../../service/builds/version-models.ts';
import type { VersionSource } from '../../../service/clients/version-source.ts';
import { largeSource } from '../../bench/large-source.ts';

describe('models of client versions', () => {
  let source: VersionSource;

  before(async () => {
    source = await largeSource(3);
  });

  it('equal models built from scratch', () => {
    const models = createVersionModels();
    models.modelOf(withMembers(source, 1));
    assert.deepEqual(models.modelOf(source), sdkModelOfVersion(source));
  });

  it('are built once for all languages of a version', () => {
    const models = createVersionModels();
    assert.equal(models.modelOf(source), models.modelOf(structuredClone(source)));
  });

  it('differ between versions', () => {
    const models = createVersionModels();
    const renamed = { ...source, semver: '2.0.0' };
    assert.equal(models.modelOf(source).semver, '1.0.0');
    assert.equal(models.modelOf(renamed).semver, '2.0.0');
    assert.equal(models.modelOf(withMembers(source, 1)).members.length, 1);
  });

  it('are rebuilt when the descriptors of a package change', () => {
    const models = createVersionModels();
    const first = models.modelOf(source);
    const [[id, bytes] = assert.fail()] = source.descriptorSets;
    // An unknown field at the end: other bytes, the same types.
    const grown = Buffer.concat([bytes, Uint8Array.of(0xf8, 0x07, 0x01)]);
    const second = models.modelOf({ ...source, descriptorSets: new Map([[id, grown]]) });
    assert.notEqual(second, first);
    assert.deepEqual(second, first);
  });
});

function withMembers(source: VersionSource, count: number): VersionSource {
  return { ...source, snapshot: { ...source.snapshot, members: source.snapshot.members.slice(0, count) } };
}
