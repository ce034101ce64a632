import { buildNotReady, versionNotFound } from '../errors/client-errors.ts';
import { type ClientBuild, resetBuild } from '../store/client-builds.ts';
import { findClientVersion } from '../store/client-versions.ts';
import type { Database } from '../store/database.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { BuildRunner } from './build-runner.ts';
import { snapshotOf } from './client-snapshot.ts';
import type { LanguageFolders } from './load-language.ts';
import { readBuild } from './read-client.ts';
import { archiveFileName } from './sdk-languages.ts';

export interface ReadArchiveOptions {
  db: Database;
  archives: ArchiveStore;
  builds: Pick<BuildRunner, 'wake'>;
  /** Where languages are loaded from. */
  folders?: LanguageFolders | undefined;
}

export interface DownloadedArchive {
  fileName: string;
  bytes: Uint8Array;
  /** Lower-case hex. */
  sha256: string;
}

/**
 * The archive of a succeeded build. One that got lost on disk is built again: the same version gives the same bytes, so the
 * caller only has to come back.
 *
 * @throws ApiError 404 `client not found`, `version not found`, 409 `build is not ready (status: <status>)`
 */
export async function readArchive(
  { db, archives, builds, folders }: ReadArchiveOptions,
  tenantId: string,
  key: { clientId: string; version: string; language: string },
): Promise<DownloadedArchive> {
  const build = await readBuild(db.knex, tenantId, key);
  if (build.status !== 'succeeded') throw buildNotReady(build.status);
  const bytes = await readBytes(archives, build);
  if (!bytes) {
    await resetBuild(db.knex, tenantId, build.id);
    builds.wake();
    throw buildNotReady('pending');
  }
  const version = await findClientVersion(db.knex, tenantId, build.clientId, build.version);
  if (!version) throw versionNotFound();
  // The slug of the version, not of today's name: the packages inside are called by it.
  const fileName = await archiveFileName(snapshotOf(version).client.slug, build.language, folders);
  return { fileName, bytes, sha256: build.sha256 ?? '' };
}

/** A file of another length than was written is as good as lost. */
async function readBytes(archives: ArchiveStore, build: ClientBuild): Promise<Uint8Array | undefined> {
  const bytes = await archives.read({ ...build, sha256: build.sha256 ?? '' });
  return bytes?.length === build.size ? bytes : undefined;
}
