import { buildModel } from '../../generator/model/build-model.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import project from '../../package.json' with { type: 'json' };
import { memberSources } from './member-sources.ts';
import type { VersionSource } from './version-source.ts';

/** What generates archives, as MANIFEST.json and the `User-Agent` of SDKs say it. */
const generator = `${project.name}/${project.version}`;

/** The model that all archives of a client version are made from: the same for every build of it. */
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
