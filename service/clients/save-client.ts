import type { PackageMetadata } from '../../generator/model/sdk-model.ts';
import type { Clock } from '../clock.ts';
import { clientNameTaken as nameTaken, clientNotFound } from '../errors/client-errors.ts';
import type { Ids } from '../ids.ts';
import {
  type Client,
  clientNameTaken,
  clientSlugTaken,
  deleteClient,
  insertClient,
  listClientNames,
  updateClient,
} from '../store/clients.ts';
import type { Database } from '../store/database.ts';
import { isUniqueViolation } from '../store/database-errors.ts';
import type { Tenant } from '../store/tenants.ts';
import type { ArchiveStore } from './archive-store.ts';
import { clientSlug, freeSlug } from './client-slug.ts';
import { readClient } from './read-client.ts';
import type { LanguageFolders } from '../languages/load-language.ts';
import { defaultLanguageOf } from '../languages/sdk-languages.ts';

/** What is needed to create and to change clients. */
export interface SaveOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
  /** Folders of the SDK languages. */
  folders?: LanguageFolders | undefined;
}

/** The fields of a client that its tenant chooses. The slug follows from the name. */
export interface ClientFields {
  /** Unique among the clients of the tenant. */
  name: string;
  description: string;
  /** Empty or absent: TypeScript. */
  defaultLanguage?: string | undefined;
  /** Absent: none. */
  metadata?: PackageMetadata | undefined;
}

/** Maximum number of attempts if concurrent requests take the same slug. */
const slugAttempts = 20;

/** @throws ApiError 400 `unsupported language: ...`, 409 `a client with that name already exists` */
export async function createClient(
  { db, clock, ids, folders }: SaveOptions,
  tenant: Tenant,
  fields: ClientFields,
): Promise<Client> {
  const defaultLanguage = await defaultLanguageOf(fields.defaultLanguage, folders);
  return withFreeSlug(db, tenant.id, fields.name, undefined, async (slug) => {
    const now = clock.now();
    const client: Client = {
      tenantId: tenant.id,
      id: ids.ulid(),
      name: fields.name,
      slug,
      description: fields.description,
      defaultLanguage,
      metadata: fields.metadata ?? {},
      latestVersion: 0,
      createdAt: now,
      updatedAt: now,
    };
    await insertClient(db.knex, client);
    return client;
  });
}

/** Replaces name, description, default language and metadata. A new name changes the slug, but not the slug of existing versions. */
export async function replaceClient(
  { db, clock, folders }: SaveOptions,
  tenant: Tenant,
  id: string,
  fields: ClientFields,
): Promise<void> {
  const client = await readClient(db.knex, tenant.id, id);
  const defaultLanguage = await defaultLanguageOf(fields.defaultLanguage, folders);
  await withFreeSlug(db, tenant.id, fields.name, client, async (slug) => {
    const { name, description, metadata = {} } = fields;
    const changes = { name, slug, description, defaultLanguage, metadata, updatedAt: clock.now() };
    if (!(await updateClient(db.knex, tenant.id, id, changes))) throw clientNotFound();
  });
}

/** Deletes the client with its members, versions and archives. */
export async function removeClient(
  { db, archives }: { db: Database; archives: ArchiveStore },
  tenant: Tenant,
  id: string,
): Promise<void> {
  if (!(await deleteClient(db.knex, tenant.id, id))) throw clientNotFound();
  await archives.removeClient({ tenantId: tenant.id, clientId: id });
}

async function withFreeSlug<T>(
  db: Database,
  tenantId: string,
  name: string,
  current: Client | undefined,
  save: (slug: string) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const others = (await listClientNames(db.knex, tenantId)).filter((other) => other.id !== current?.id);
    if (others.some((other) => other.name === name)) throw nameTaken();
    try {
      return await save(current?.name === name ? current.slug : slugAmong(others, name));
    } catch (error) {
      if (isUniqueViolation(error, clientNameTaken)) throw nameTaken();
      if (!isUniqueViolation(error, clientSlugTaken) || attempt === slugAttempts) throw error;
    }
  }
}

function slugAmong(others: readonly Pick<Client, 'slug'>[], name: string): string {
  return freeSlug(clientSlug(name), new Set(others.map((other) => other.slug)));
}
