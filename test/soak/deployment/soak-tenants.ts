import { createApiKey } from '../../../service/access/create-api-key.ts';
import { systemClock } from '../../../service/clock.ts';
import { createIds } from '../../../service/ids.ts';
import type { Database } from '../../../service/store/database.ts';
import { insertTenant, type Tenant } from '../../../service/store/tenants.ts';
import { request } from '../../support/running-service.ts';
import { type FlowName, flows } from './flows.ts';
import { declarationsOf, type PackageTitle, protos } from './packages.ts';
import type { SoakContainer } from './soak-container.ts';

/** A tenant with a key and its compiled flows. */
export interface SoakTenant {
  tenant: Tenant;
  key: string;
  graphs: Readonly<Record<FlowName, string>>;
  /** Whether its quotas are small enough to be exhausted. */
  isLimited: boolean;
}

/** Returns the expected statuses of a tenant. One with small quotas may also get 429. */
export function expectedBy({ isLimited }: SoakTenant, statuses: readonly number[]): readonly number[] {
  return isLimited ? [...statuses, 429] : statuses;
}

const ids = createIds(systemClock);
const rates = { rps: 1e6, burst: 1e6, invocationRps: 1e6, invocationBurst: 1e6 };
const plenty = { ...rates, dailyInvocations: 1e8, dailyExecutions: 1e8 };

/** Quota of the limited tenant, in invocations per second of the soak. It requests more. */
const limitedPerSecond = 0.5;

/** Creates the tenants, publishes the packages, and compiles the flows of each tenant. */
export async function createTenants(
  db: Database,
  url: string,
  containers: Readonly<Record<PackageTitle, SoakContainer>>,
  seconds: number,
): Promise<SoakTenant[]> {
  const few = Math.ceil(seconds * limitedPerSecond);
  const limited = { ...rates, dailyInvocations: few, dailyExecutions: few, inflight: 5 };
  const made: SoakTenant[] = [];
  for (const [handle, limits] of [
    ['acme', plenty],
    ['bolt', plenty],
    ['tiny', limited],
  ] as const) {
    const tenant: Tenant = { id: ids.ulid(), handle, status: 'active', limits, createdAt: Date.now() };
    await insertTenant(db.knex, tenant);
    const { secret: key } = await createApiKey(
      db.knex,
      { ids, clock: systemClock },
      { tenantId: tenant.id, name: 'soak', kind: 'full', scopes: ['read', 'write', 'invoke'] },
    );
    if (handle === 'acme') await publish(url, key, containers);
    made.push({ tenant, key, graphs: await compile(url, key), isLimited: limits === limited });
  }
  return made;
}

async function publish(
  url: string,
  key: string,
  containers: Readonly<Record<PackageTitle, SoakContainer>>,
): Promise<void> {
  for (const title of ['steps', 'streams'] as const) {
    await post(`${url}/api/v1/packages`, key, {
      name: `acme/soak-${title}`,
      version: '1.0.0',
      visibility: 'public',
      protos,
      nodes: declarationsOf(title),
      endpoint: containers[title].endpoint,
    });
  }
}

async function compile(url: string, key: string): Promise<Record<FlowName, string>> {
  const compileOne = async (flow: FlowName): Promise<string> =>
    (await post(`${url}/api/v1/graphs/compile`, key, flows[flow])).graph_id ?? '';
  return {
    chain: await compileOne('chain'),
    retried: await compileOne('retried'),
    asking: await compileOne('asking'),
    pipeline: await compileOne('pipeline'),
  };
}

async function post(url: string, key: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await request(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body as Record<string, string>;
}
