import assert from 'node:assert/strict';
import path from 'node:path';
import { pino } from 'pino';
import { createArchiveStore } from '../../service/clients/archive-store.ts';
import { createDiskObjectStore } from '../../service/objects/disk-object-store.ts';
import {
  type BuildRunner,
  type BuildRunnerOptions,
  createBuildRunner,
} from '../../service/builds/build-runner.ts';
import { addMember } from '../../service/clients/change-members.ts';
import { createBuildPool } from '../../service/builds/build-pool.ts';
import { requestBuild } from '../../service/builds/request-build.ts';
import { planVersion, type VersionPlan } from '../../service/clients/plan-version.ts';
import { createClient } from '../../service/clients/save-client.ts';
import { systemClock } from '../../service/clock.ts';
import { createIds } from '../../service/ids.ts';
import { type ClientBuild, readBuilds } from '../../service/store/client-builds.ts';
import { type Client, findClient } from '../../service/store/clients.ts';
import type { Database } from '../../service/store/database.ts';
import { wholeList } from '../../service/store/records.ts';
import type { Tenant } from '../../service/store/tenants.ts';
import { publishText } from './published-text.ts';
import { storedTenant } from './sample-records.ts';

const ids = createIds(systemClock);

/** Stores a tenant with a published package and a client of one member. */
export async function storedBundle(db: Database): Promise<{ tenant: Tenant; client: Client }> {
  const options = { db, clock: systemClock, ids };
  const tenant = await storedTenant(db.knex);
  await publishText(db, tenant);
  const client = await createClient(options, tenant, { name: 'Text tools', description: '' });
  const key = { tenantId: tenant.id, clientId: client.id };
  await addMember(options, key, { type: 'node', package: `${tenant.handle}/text`, node_name: 'Tokenize' });
  return { tenant, client };
}

/** Requests builds like the route, but plans the versions on this thread. */
export async function requestBuilds(
  db: Database,
  tenant: Tenant,
  clientId: string,
  languages: string[],
  version = 0,
): Promise<ClientBuild[]> {
  const plan = (version: VersionPlan) => Promise.resolve(planVersion(version));
  const options = { db, clock: systemClock, ids, plan };
  return requestBuild(options, tenant, { clientId, languages, version });
}

/** Reads the builds of a client, newest version first. */
export async function storedBuilds(db: Database, tenant: Tenant, clientId: string): Promise<ClientBuild[]> {
  const client = await findClient(db.knex, tenant.id, clientId);
  assert.ok(client);
  return wholeList(readBuilds(db.knex, client));
}

/** Returns a runner as in the app, with a short poll interval. Closing it also ends the threads of its builds. */
export function quickRunner(
  db: Database,
  dataDir: string,
  { folders = {}, pool = createBuildPool({ folders }), ...fields }: Partial<BuildRunnerOptions> = {},
): BuildRunner {
  const runner = createBuildRunner({
    db,
    clock: systemClock,
    ids,
    archives: createArchiveStore(createDiskObjectStore(path.join(dataDir, 'archives'))),
    config: { goModulePrefix: 'go.svc.internal' },
    logger: pino({ level: process.env.SVC_LOG_LEVEL ?? 'silent' }),
    metrics: { countBuild: () => undefined },
    pollMs: 50,
    folders,
    pool,
    ...fields,
  });
  return {
    ...runner,
    close: async (graceMs) => {
      await runner.close(graceMs);
      await pool.close();
    },
  };
}
