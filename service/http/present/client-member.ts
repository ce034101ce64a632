import type { z } from 'zod';
import type { addedMember, clientMember } from '../../../specs/operations/client-shapes.ts';
import { isoTime } from '../../clock.ts';
import type { ClientMember } from '../../store/client-members.ts';

/**
 * Presents a member. Fields of the other member type are omitted.
 *
 * @param nodeNames by ULID
 */
export function presentMember(
  member: ClientMember,
  nodeNames: ReadonlyMap<string, string>,
): z.input<typeof clientMember> {
  const nodeName = nodeNames.get(member.nodeUlid ?? '');
  return {
    id: member.id,
    client_id: member.clientId,
    member_type: member.memberType,
    alias: member.alias,
    ...(member.packageName === null ? {} : { package_name: member.packageName }),
    ...(member.packageVersion === null ? {} : { package_version: member.packageVersion }),
    ...(member.nodeUlid === null ? {} : { node_ulid: member.nodeUlid }),
    ...(nodeName === undefined ? {} : { node_name: nodeName }),
    ...(member.artifactId === null ? {} : { artifact_id: member.artifactId }),
    created_at: isoTime(member.createdAt),
  };
}

/** Presents a member like `presentMember`, with the warnings for the caller who added it. */
export function presentAddedMember(
  member: ClientMember,
  nodeNames: ReadonlyMap<string, string>,
  warnings: string[],
): z.input<typeof addedMember> {
  return { ...presentMember(member, nodeNames), warnings };
}
