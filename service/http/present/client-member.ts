import type { z } from 'zod';
import type { addedMember, clientMember } from '../../../specs/operations/client-shapes.ts';
import { isoTime } from '../../clock.ts';
import type { ClientMember } from '../../store/client-members.ts';

/** Presents a member. Fields of the other member type are left out. */
export function presentMember(member: ClientMember): z.input<typeof clientMember> {
  return {
    id: member.id,
    client_id: member.clientId,
    member_type: member.memberType,
    alias: member.alias,
    ...(member.packageName === null ? {} : { package_name: member.packageName }),
    ...(member.packageVersion === null ? {} : { package_version: member.packageVersion }),
    ...(member.nodeUlid === null ? {} : { node_ulid: member.nodeUlid }),
    ...(member.artifactId === null ? {} : { artifact_id: member.artifactId }),
    created_at: isoTime(member.createdAt),
  };
}

export function presentAddedMember(member: ClientMember, warnings: string[]): z.input<typeof addedMember> {
  return { ...presentMember(member), warnings };
}
