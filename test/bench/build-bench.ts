import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApiKey } from '../../service/access/create-api-key.ts';
import { systemClock } from '../../service/clock.ts';
import { createIds } from '../../service/ids.ts';
import { openDatabase } from '../../service/store/open-database.ts';
import { insertTenant, type Tenant } from '../../service/store/tenants.ts';
import { largePackage, mostNodes } from './large-package.ts';
import { createChildProcesses } from './runs/child-processes.ts';
import { median } from './statistics.ts';

/** Time from the build request of a client until all of its archives can be downloaded. */
export interface BuildWait {
  members: number;
  languages: number;
  /** The first build after the start of the service. */
  firstMs: number;
  /** The second build, of another client. */
  secondMs: number;
  /** Median of later builds, after the warm-up. Each is of another client with other members. */
  warmMs: number;
}

const handle = 'acme';

/** Number of warm-up builds, as for the archives alone. */
const warmUps = 5;

/** Polling every 5 ms took 150 ms of the processors that the builds need. */
const pollMs = 25;

/** Builds clients with a service in a separate process, as in production: SQLite, every commit and archive synced to the disk. */
export async function measureBuildWait(
  members: number,
  languages: readonly string[],
  rounds: number,
): Promise<BuildWait> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-bench-builds-'));
  const children = createChildProcesses();
  try {
    const key = await storeTenant(dataDir);
    const url = await children.svc(['serve'], {
      SVC_DATA_DIR: dataDir,
      SVC_PORT: '0',
      SVC_SYNC: 'full',
      SVC_LOG_LEVEL: 'warn',
    });
    const call = callerOf(`${url}/api/v1`, key);
    const body = largePackage(handle, Math.min(mostNodes, members + Math.ceil(members / 5)));
    await call('POST', '/packages', body);
    const waits: number[] = [];
    for (let round = 0; round < warmUps + rounds; round += 1) {
      const client = (await call('POST', '/clients', { name: `Shop ${round}` })) as { id: string };
      const first = round % (body.nodes.length - members + 1);
      const wanted = body.nodes.slice(first, first + members).map(({ name }) => ({
        type: 'node',
        package: body.name,
        node_name: name,
      }));
      await call('PUT', `/clients/${client.id}/members`, { members: wanted });
      waits.push(await buildAll(call, client.id, languages));
    }
    const [firstMs = Number.NaN, secondMs = Number.NaN] = waits;
    const warmMs = median(waits.slice(warmUps));
    return { members, languages: languages.length, firstMs, secondMs, warmMs };
  } finally {
    await children.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

async function buildAll(call: Call, client: string, languages: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await call('POST', `/clients/${client}/build`, { languages });
  for (const language of languages) {
    for (;;) {
      const build = await call('GET', `/clients/${client}/versions/1?language=${language}`);
      const { status, error } = build as { status: string; error?: string };
      if (status === 'succeeded') break;
      if (status !== 'pending') throw new Error(`${language}: ${error ?? status}`);
      await delay(pollMs);
    }
  }
  return performance.now() - startedAt;
}

function callerOf(base: string, key: string): Call {
  return async (method, place, body) => {
    const response = await fetch(base + place, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

/** Creates a tenant without limits. @returns its key */
async function storeTenant(dataDir: string): Promise<string> {
  const db = await openDatabase({ dataDir });
  const ids = createIds(systemClock);
  try {
    const limits = { rps: 1e9, burst: 1e9 };
    const tenant: Tenant = { id: ids.ulid(), handle, status: 'active', limits, createdAt: systemClock.now() };
    await insertTenant(db.knex, tenant);
    const { secret } = await createApiKey(
      db.knex,
      { ids, clock: systemClock },
      { tenantId: tenant.id, name: 'bench', kind: 'full', scopes: ['read', 'write'] },
    );
    return secret;
  } finally {
    await db.close();
  }
}
