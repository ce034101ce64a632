import type { ClientDetail } from '../../builds/read-client.ts';
import { isoTime } from '../../clock.ts';
import type { CountedClient } from '../../store/clients.ts';
import { presentBuild } from './build-row.ts';
import { presentMember } from './client-member.ts';

/** SPEC.md, Client; `members` and `versions` are filled by get-one alone. */
export function presentClient(client: CountedClient) {
  return {
    id: client.id,
    tenant_id: client.tenantId,
    name: client.name,
    slug: client.slug,
    description: client.description,
    default_language: client.defaultLanguage,
    latest_version: client.latestVersion,
    created_at: isoTime(client.createdAt),
    updated_at: isoTime(client.updatedAt),
    members: [],
    versions: [],
    member_count: client.memberCount,
    version_count: client.versionCount,
  };
}

export function presentClientDetail({ client, members, builds }: ClientDetail) {
  return {
    ...presentClient(client),
    members: members.map(presentMember),
    versions: builds.map(presentBuild),
  };
}
