import assert from 'node:assert/strict';
import { sdkModelOfVersion } from '../../../service/builds/sdk-model-of-version.ts';
import { createVersionModels } from '../../../service/builds/version-models.ts';
import type { VersionSource } from '../../../service/builds/version-source.ts';
import { largeSource } from '../../bench/large-source.ts';

describe('models of client versions', () => {
  let source: VersionSource;

  before(async () => {
    source = await largeSource(3);
  });

  it('are what they are without anything kept', () => {
    const models = createVersionModels();
    models.modelOf(withMembers(source, 1));
    assert.deepEqual(models.modelOf(source), sdkModelOfVersion(source));
  });

  it('are made once for the languages of a version', () => {
    const models = createVersionModels();
    assert.equal(models.modelOf(source), models.modelOf(structuredClone(source)));
  });

  it('differ where the versions do', () => {
    const models = createVersionModels();
    const renamed = { ...source, semver: '2.0.0' };
    assert.equal(models.modelOf(source).semver, '1.0.0');
    assert.equal(models.modelOf(renamed).semver, '2.0.0');
    assert.equal(models.modelOf(withMembers(source, 1)).members.length, 1);
  });

  it('share the types of a package, also when its descriptors are loaded again', () => {
    const models = createVersionModels();
    const first = models.modelOf(source);
    const second = models.modelOf(structuredClone({ ...source, version: 2 }));
    assert.notEqual(first, second);
    assert.equal(first.types.messages[0], second.types.messages[0]);
  });

  it('keep no more descriptors than they are told to', () => {
    const models = createVersionModels(1);
    const first = models.modelOf(source);
    const second = models.modelOf(structuredClone({ ...source, version: 2 }));
    assert.notEqual(first.types.messages[0], second.types.messages[0]);
    assert.deepEqual(first.types, second.types);
  });
});

function withMembers(source: VersionSource, count: number): VersionSource {
  return { ...source, snapshot: { ...source.snapshot, members: source.snapshot.members.slice(0, count) } };
}
