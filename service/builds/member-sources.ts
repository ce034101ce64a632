import type { MemberSource } from '../../generator/model/build-surface.ts';
import type { SnapshotMember } from './client-snapshot.ts';

/** Frozen members with the types of their package versions, as the generator takes them. */
export function memberSources(
  members: readonly SnapshotMember[],
  descriptorSets: ReadonlyMap<string, Uint8Array>,
): MemberSource[] {
  return members.map(({ source, ...member }) => {
    const descriptorSet = descriptorSets.get(source.versionId);
    if (!descriptorSet) throw new Error(`no descriptors of package version ${source.versionId} were loaded`);
    return { ...member, descriptorSet };
  });
}
