import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDeploymentTokens } from '../../service/access/secrets/deployment-tokens.ts';
import { createApiKey } from '../../service/access/create-api-key.ts';
import { systemClock } from '../../service/clock.ts';
import { createIds } from '../../service/ids.ts';
import { createContainerPool } from '../../service/nodes/container/container-pool.ts';
import { publishPackage } from '../../service/nodes/publish-package.ts';
import { openDatabase } from '../../service/store/open-database.ts';
import { insertTenant, type Tenant } from '../../service/store/tenants.ts';
import { createChildProcesses } from './runs/child-processes.ts';
import { median } from './statistics.ts';
import { compileHere } from '../support/compile-here.ts';

interface CallRate {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Medians over the rounds. */
export interface CallRates {
  connections: number;
  bare: CallRate;
  service: CallRate;
}

interface CallBenchOptions {
  /** Duration of each measurement. */
  seconds: number;
  /** Number of measurements of each side, in alternation. */
  rounds: number;
  say: (text: string) => void;
}

const connections = 64;
const input = JSON.stringify({
  text: 'Typed nodes, wired into flows, called from seven languages.',
  count: '42',
  tags: ['a', 'b', 'c'],
  weight: 0.5,
});
const proto = `syntax = "proto3";
package bench.echo.v1;
message Said {
  string text = 1;
  int64 count = 2;
  repeated string tags = 3;
  double weight = 4;
}
`;

/**
 * Measures node calls per second through the service, and through a bare handler over the same container. Container,
 * bare handler, service and load generator are separate processes. The service runs as in production: SQLite with
 * fsync, keys checked, executions recorded.
 */
export async function measureCalls({ seconds, rounds, say }: CallBenchOptions): Promise<CallRates> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-bench-'));
  const children = createChildProcesses();
  try {
    const endpoint = await children.script('../processes/echo-container.ts', []);
    const bareUrl = await children.script('../processes/bare-peer.ts', [endpoint.slice('grpc://'.length)]);
    const key = await publishEcho(dataDir, endpoint);
    const serviceUrl = await children.svc(['serve'], {
      SVC_DATA_DIR: dataDir,
      SVC_PORT: '0',
      SVC_SYNC: 'full',
      SVC_LOG_LEVEL: 'warn',
    });
    const nodeUrl = `${serviceUrl}/invocations/v1/nodes/bench/echo/1.0.0/Echo`;
    await load(bareUrl, key, 2);
    await load(nodeUrl, key, 2);
    const bare: CallRate[] = [];
    const service: CallRate[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      bare.push(await load(bareUrl, key, seconds));
      service.push(await load(nodeUrl, key, seconds));
      say(
        `round ${round}: bare ${bare.at(-1)?.perSecond ?? 0}, svc ${service.at(-1)?.perSecond ?? 0} calls/s`,
      );
    }
    return { connections, bare: middle(bare), service: middle(service) };
  } finally {
    await children.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Creates a tenant without limits, its key, and the node. */
async function publishEcho(dataDir: string, endpoint: string): Promise<string> {
  const db = await openDatabase({ dataDir });
  const ids = createIds(systemClock);
  const clock = systemClock;
  try {
    const limits = { rps: 1e9, burst: 1e9, invocationRps: 1e9, invocationBurst: 1e9, dailyInvocations: 1e9 };
    const tenant: Tenant = {
      id: ids.ulid(),
      handle: 'bench',
      status: 'active',
      limits,
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
      nodes: [
        {
          name: 'Echo',
          input: said,
          output: said,
          mode: 'unary',
          kind: 'standard',
          generic: [],
          description: '',
          required_secrets: [],
        },
      ],
    });
    const made = { tenantId: tenant.id, name: 'bench', kind: 'full', scopes: ['invoke'] } as const;
    const { secret } = await createApiKey(db.knex, { ids, clock }, { ...made, scopes: [...made.scopes] });
    return secret;
  } finally {
    await db.close();
  }
}

interface AutocannonResult {
  requests: { average: number };
  latency: { p50: number; p99: number };
  non2xx: number;
  errors: number;
}

async function load(url: string, key: string, seconds: number): Promise<CallRate> {
  const headers = ['-H', `Authorization=Bearer ${key}`, '-H', 'Content-Type=application/json'];
  const script = path.resolve(import.meta.dirname, '../../node_modules/autocannon/autocannon.js');
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[script, '-j', '-m', 'POST', '-c', String(connections), '-d', String(seconds)],
    ...[...headers, '-b', input, url],
  ]);
  const { requests, latency, non2xx, errors } = JSON.parse(stdout) as AutocannonResult;
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`);
  return { perSecond: requests.average, p50Ms: latency.p50, p99Ms: latency.p99 };
}

function middle(rates: readonly CallRate[]): CallRate {
  return {
    perSecond: median(rates.map((rate) => rate.perSecond)),
    p50Ms: median(rates.map((rate) => rate.p50Ms)),
    p99Ms: median(rates.map((rate) => rate.p99Ms)),
  };
}
