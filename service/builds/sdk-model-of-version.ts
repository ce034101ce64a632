import { buildModel } from '../../generator/model/build-model.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import project from '../../package.json' with { type: 'json' };
import { memberSources } from '../clients/snapshot-sources.ts';
import type { VersionSource } from '../clients/version-source.ts';

/** Name and version of the generator, for MANIFEST.json and the `User-Agent` of SDKs. */
const generator = `${project.name}/${project.version}`;

/** Returns the model for the archives of a client version. It is the same for every build of the version. */
export function sdkModelOfVersion(source: VersionSource): SdkModel {
  const { snapshot, version, semver, goModulePrefix, changelog } = source;
  return buildModel({
    client: snapshot.client,
    version,
    semver,
    generator,
    goModulePrefix,
    members: memberSources(snapshot.members, source.descriptorSets),
    changelog,
    firstSeen: snapshot.firstSeen,
  });
}
