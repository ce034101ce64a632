import { buildNotReady, versionNotFound } from '../errors/client-errors.ts';
import { type ClientBuild, resetBuild } from '../store/client-builds.ts';
import { findClientVersion } from '../store/client-versions.ts';
import type { Database } from '../store/database.ts';
import type { ArchiveStore } from '../clients/archive-store.ts';
import type { BuildRunner } from './build-runner.ts';
import { snapshotOf } from '../clients/client-snapshot.ts';
import type { LanguageFolders } from '../languages/load-language.ts';
import { readBuild } from '../clients/read-client.ts';
import { archiveFileName } from '../languages/sdk-languages.ts';

interface ReadArchiveOptions {
  db: Database;
  archives: ArchiveStore;
  builds: Pick<BuildRunner, 'wake'>;
  /** Folders of the SDK languages. */
  folders?: LanguageFolders | undefined;
}

interface DownloadedArchive {
  fileName: string;
  bytes: Uint8Array;
  /** Lower-case hex. */
  sha256: string;
}

/**
 * Returns the archive of a succeeded build. A lost archive is built again, with the same bytes, and the caller has to retry.
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
    await resetBuild(db.knex, build);
    builds.wake();
    throw buildNotReady('pending');
  }
  const version = await findClientVersion(db.knex, tenantId, build.clientId, build.version);
  if (!version) throw versionNotFound();
  // The version's slug, which the packages in the archive also use. The client may have been renamed since.
  const fileName = await archiveFileName(snapshotOf(version).client.slug, build.language, folders);
  return { fileName, bytes, sha256: build.sha256 ?? '' };
}

/** Treats an archive of the wrong size as lost. */
async function readBytes(archives: ArchiveStore, build: ClientBuild): Promise<Uint8Array | undefined> {
  const bytes = await archives.read({ ...build, sha256: build.sha256 ?? '' });
  return bytes?.length === build.size ? bytes : undefined;
}
