import type { z } from 'zod';
import type { buildRow } from '../../../specs/operations/client-shapes.ts';
import { isoTime } from '../../clock.ts';
import type { ClientBuild } from '../../store/client-builds.ts';

/** Presents a build without its archive and its lease. `error` is omitted unless the build failed. */
export function presentBuild(build: ClientBuild): z.input<typeof buildRow> {
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
