import type { MemberSource, VersionTypes } from '../../generator/model/build-surface.ts';
import type { NamedVersionRef, SnapshotMember, VersionRef } from './client-snapshot.ts';

/** Frozen members with the types of their package versions, as the generator takes them. */
export function memberSources(
  members: readonly SnapshotMember[],
  descriptorSets: ReadonlyMap<string, Uint8Array>,
): MemberSource[] {
  return members.map((frozen) => {
    if (frozen.type === 'flow') {
      const { inputSource, outputSource, ...member } = frozen;
      return {
        ...member,
        inputTypes: versionTypes(inputSource, descriptorSets),
        outputTypes: versionTypes(outputSource, descriptorSets),
      };
    }
    const { source, ...member } = frozen;
    return { ...member, descriptorSet: descriptorSetOf(source, descriptorSets) };
  });
}

/** The package versions that hold a member's types. */
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
