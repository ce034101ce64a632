import { randomBytes } from 'node:crypto';
import { createDeploymentTokens } from '../../../service/access/secrets/deployment-tokens.ts';
import { createApiKey } from '../../../service/access/create-api-key.ts';
import { systemClock } from '../../../service/clock.ts';
import { createIds } from '../../../service/ids.ts';
import { createContainerPool } from '../../../service/nodes/container/container-pool.ts';
import { publishPackage } from '../../../service/nodes/publish-package.ts';
import { migrateDatabase } from '../../../service/store/migrate.ts';
import { type DatabaseOptions, openDatabase } from '../../../service/store/open-database.ts';
import { insertTenant, type Tenant } from '../../../service/store/tenants.ts';
import { compileHere } from '../../support/compile-here.ts';

const proto = `syntax = "proto3";
package bench.echo.v1;
message Said {
  string text = 1;
  int64 count = 2;
  repeated string tags = 3;
  double weight = 4;
}
`;

/** A node of the package `bench/echo`, which returns its input message `Said`. */
interface BenchNode {
  name: string;
  mode: 'unary' | 'pipeline';
}

/** A tenant without limits, with nodes on that container. */
interface BenchTenant {
  tenantId: string;
  key: string;
}

/** Prepares a tenant on a database without a running service. */
export async function prepareTenant(
  database: DatabaseOptions,
  endpoint: string,
  nodes: readonly BenchNode[] = [{ name: 'Echo', mode: 'unary' }],
): Promise<BenchTenant> {
  const clock = systemClock;
  const ids = createIds(clock);
  const db = await openDatabase(database);
  try {
    await migrateDatabase(db);
    const rates = { rps: 1e9, burst: 1e9, invocationRps: 1e9, invocationBurst: 1e9 };
    const tenant: Tenant = {
      id: ids.ulid(),
      handle: 'bench',
      status: 'active',
      limits: { ...rates, dailyInvocations: 1e9, dailyExecutions: 1e9 },
      createdAt: clock.now(),
    };
    await insertTenant(db.knex, tenant);
    const said = 'bench.echo.v1.Said';
    const nodeHosts = [{ host: '127.0.0.1' }];
    const tokens = createDeploymentTokens(randomBytes(32), clock);
    const containers = createContainerPool({ allowedHosts: nodeHosts });
    await publishPackage({ db, clock, ids, protos: compileHere, nodeHosts, containers, tokens }, tenant, {
      name: 'bench/echo',
      version: '1.0.0',
      description: '',
      visibility: 'private',
      protos: { 'bench/echo/v1/echo.proto': proto },
      endpoint,
      nodes: nodes.map((node) => ({
        ...node,
        kind: 'standard',
        generic: [],
        input: said,
        output: said,
        description: '',
        required_secrets: [],
      })),
    });
    const { secret } = await createApiKey(
      db.knex,
      { ids, clock },
      { tenantId: tenant.id, name: 'bench', kind: 'full', scopes: ['read', 'write', 'invoke'] },
    );
    return { tenantId: tenant.id, key: secret };
  } finally {
    await db.close();
  }
}

/** Compiles a chain of this number of nodes, and returns its `graph_id`. */
export async function compileChain(url: string, key: string, length: number): Promise<string> {
  const ids = Array.from({ length }, (_, index) => `n${index}`);
  const document = {
    name: `Chain of ${length}`,
    entry: 'n0',
    terminal: ids.at(-1),
    nodes: ids.map((id) => ({ id, package: 'bench/echo', version: '1.0.0', node_name: 'Echo' })),
    edges: ids.slice(1).map((to, index) => ({ id: `e${index}`, from: `n${index}`, to })),
  };
  return compileFlow(url, key, document);
}

/** Compiles a flow, and returns its `graph_id`. */
export async function compileFlow(url: string, key: string, document: object): Promise<string> {
  const answer = await fetch(`${url}/api/v1/graphs/compile`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(document),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the flow does not compile: ${text}`);
  return (JSON.parse(text) as { graph_id: string }).graph_id;
}
