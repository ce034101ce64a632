import { limits } from '../../specs/limits.ts';
import type { Ids } from '../ids.ts';
import {
  buildTaken,
  type ClientBuild,
  countPendingBuilds,
  findBuild,
  insertBuild,
  resetBuild,
} from '../store/client-builds.ts';
import { findClientVersion } from '../store/client-versions.ts';
import type { Tx } from '../store/database.ts';
import { isUniqueViolation } from '../store/database-errors.ts';
import type { Tenant } from '../store/tenants.ts';
import { tooManyBuilds, versionNotFound } from '../errors/client-errors.ts';
import { type CutOptions, cutVersion } from '../clients/cut-version.ts';
import { readClient } from '../clients/read-client.ts';
import type { LanguageFolders } from '../languages/load-language.ts';
import { requireLanguage } from '../languages/sdk-languages.ts';

/** What is needed to cut a version and to queue its builds. */
export interface BuildRequestOptions extends CutOptions {
  ids: Ids;
  /** Folders of the SDK languages. */
  folders?: LanguageFolders | undefined;
}

interface BuildRequest {
  clientId: string;
  /** Absent or empty: the client's default language. */
  languages?: readonly string[] | undefined;
  /** Existing version to build in further languages. 0 or absent: cuts a new version. */
  version?: number | undefined;
}

/**
 * Queues builds, and returns one pending row for each language in the requested order. In an existing version, pending builds do
 * not change, and finished ones are repeated.
 *
 * @throws ApiError 400 `unsupported language: ...`, `client has no members ...`, 404 `client not found`, `version not found`,
 *   429 if too many are pending
 */
export async function requestBuild(
  options: BuildRequestOptions,
  tenant: Tenant,
  { clientId, languages = [], version = 0 }: BuildRequest,
): Promise<ClientBuild[]> {
  const client = await readClient(options.db.knex, tenant.id, clientId);
  const requested = languages.length > 0 ? languages : [client.defaultLanguage];
  const wanted = [...new Set(requested)];
  for (const language of wanted) await requireLanguage(language, options.folders);
  const pending = await countPendingBuilds(options.db.knex, tenant.id);
  const { pendingBuildsPerTenant: most } = limits;
  if (pending + wanted.length > most) throw tooManyBuilds(most);
  if (version > 0) return addLanguages(options, { tenantId: tenant.id, clientId, version }, wanted);
  return cutVersion(options, tenant, clientId, (tx, cut) => insertRows(tx, options, cut, wanted));
}

interface VersionKey {
  tenantId: string;
  clientId: string;
  version: number;
}

async function addLanguages(
  options: BuildRequestOptions,
  key: VersionKey,
  languages: readonly string[],
): Promise<ClientBuild[]> {
  const { tenantId, clientId, version } = key;
  const add = () =>
    options.db.transaction(async (tx) => {
      if (!(await findClientVersion(tx, tenantId, clientId, version))) throw versionNotFound();
      const rows: ClientBuild[] = [];
      for (const language of languages) {
        const found = await findBuild(tx, tenantId, clientId, version, language);
        if (!found) {
          rows.push(...(await insertRows(tx, options, key, [language])));
        } else {
          if (found.status !== 'pending') await resetBuild(tx, found);
          rows.push({ ...found, status: 'pending', error: null, sha256: null, size: null });
        }
      }
      return rows;
    });
  try {
    return await add();
  } catch (error) {
    // A concurrent request has inserted the row. The second attempt finds it.
    if (isUniqueViolation(error, buildTaken)) return add();
    throw error;
  }
}

async function insertRows(
  tx: Tx,
  { clock, ids }: BuildRequestOptions,
  key: VersionKey,
  languages: readonly string[],
): Promise<ClientBuild[]> {
  const rows = languages.map((language): ClientBuild => ({
    ...key,
    id: ids.ulid(),
    language,
    status: 'pending',
    error: null,
    sha256: null,
    size: null,
    createdAt: clock.now(),
    leaseOwner: null,
    leaseUntil: null,
  }));
  for (const row of rows) await insertBuild(tx, row);
  return rows;
}
