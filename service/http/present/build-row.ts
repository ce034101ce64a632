import { isoTime } from '../../clock.ts';
import type { ClientBuild } from '../../store/client-builds.ts';

/** SPEC.md, Client build row. */
export function presentBuild(build: ClientBuild) {
  return {
    id: build.id,
    client_id: build.clientId,
    version: build.version,
    language: build.language,
    status: build.status,
    ...(build.error === null ? {} : { error: build.error }),
    created_at: isoTime(build.createdAt),
  };
}
