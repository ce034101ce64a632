import type { z } from 'zod';
import type { clientRecord } from '../../../specs/operations/client-shapes.ts';
import type { ClientWithMembers } from '../../clients/read-client.ts';
import { isoTime } from '../../clock.ts';
import type { CountedClient } from '../../store/clients.ts';
import { presentMember } from './client-member.ts';

/** Presents a client with empty `members` and `versions`, as in lists. */
export function presentClient(client: CountedClient): z.input<typeof clientRecord> {
  return {
    id: client.id,
    tenant_id: client.tenantId,
    name: client.name,
    slug: client.slug,
    description: client.description,
    default_language: client.defaultLanguage,
    ...client.metadata,
    latest_version: client.latestVersion,
    created_at: isoTime(client.createdAt),
    updated_at: isoTime(client.updatedAt),
    members: [],
    versions: [],
    member_count: client.memberCount,
    version_count: client.versionCount,
  };
}

/** Presents a client with its members, and with empty `versions`. */
export function presentClientWithMembers({
  client,
  members,
  nodeNames,
}: ClientWithMembers): z.input<typeof clientRecord> {
  return { ...presentClient(client), members: members.map((member) => presentMember(member, nodeNames)) };
}
