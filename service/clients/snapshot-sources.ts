import type { MemberSource, VersionTypes } from '../../generator/model/build-surface.ts';
import type { NamedVersionRef, SnapshotMember, VersionRef } from './client-snapshot.ts';

/** Combines the members of a snapshot with their message types, for the generator. */
export function memberSources(
  members: readonly SnapshotMember[],
  descriptorSets: ReadonlyMap<string, Uint8Array>,
): MemberSource[] {
  return members.map((snapshot) => {
    if (snapshot.type === 'flow') {
      const { inputSource, outputSource, ...member } = snapshot;
      return {
        ...member,
        inputTypes: versionTypes(inputSource, descriptorSets),
        outputTypes: versionTypes(outputSource, descriptorSets),
      };
    }
    const { source, ...member } = snapshot;
    return { ...member, descriptorSet: descriptorSetOf(source, descriptorSets) };
  });
}

/** Returns the package versions with the member's types. */
export function versionRefs(member: SnapshotMember): VersionRef[] {
  return member.type === 'flow' ? [member.inputSource, member.outputSource] : [member.source];
}

function versionTypes(
  source: NamedVersionRef,
  descriptorSets: ReadonlyMap<string, Uint8Array>,
): VersionTypes {
  const { package: packageName, version } = source;
  return { package: packageName, version, descriptorSet: descriptorSetOf(source, descriptorSets) };
}

function descriptorSetOf(
  { versionId }: VersionRef,
  descriptorSets: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const descriptorSet = descriptorSets.get(versionId);
  if (!descriptorSet) throw new Error(`no descriptors of package version ${versionId} were loaded`);
  return descriptorSet;
}
