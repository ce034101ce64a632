import type { AttackTarget } from './attack.ts';
import { expressionBombs } from './attacks.ts';
import { flowOf, mappingFlow, toolsPackage } from './flows.ts';
import type { WatchTarget } from './observation.ts';

/** Runs `svc` on the data folder, and returns what it prints. */
type RunCommand = (...args: string[]) => Promise<string>;

interface TenantKeys {
  attacker: string;
  neighbour: string;
}

const attacker = 'alpha';
const neighbour = 'beta';

/**
 * Creates two tenants. The attacker keeps the default limits. The neighbour may make ten invocations per second, more than the
 * default.
 */
export async function createTenants(svc: RunCommand): Promise<TenantKeys> {
  await svc('tenant', 'create', attacker);
  await svc('tenant', 'create', neighbour);
  const rates = ['--invocation-rps', '100', '--invocation-burst', '1000'];
  const quotas = ['--daily-invocations', '1000000', '--daily-executions', '1000000'];
  await svc('tenant', 'limits', neighbour, ...rates, ...quotas);
  return {
    attacker: await svc('key', 'create', '--tenant', attacker),
    neighbour: await svc('key', 'create', '--tenant', neighbour),
  };
}

interface Endpoints {
  attacker: string;
  neighbour: string;
}

/** The nodes and flows that attackers and neighbours call, without the address of the service. */
export interface Scene {
  target: Omit<AttackTarget, 'url'>;
  calls: NonNullable<WatchTarget['calls']>;
}

/** Publishes the packages of both tenants on a running service, and compiles their flows. */
export async function publishScene(url: string, keys: TenantKeys, endpoints: Endpoints): Promise<Scene> {
  const post = async (tenant: keyof TenantKeys, path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keys[tenant]}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const compile = async (tenant: keyof TenantKeys, flow: object): Promise<string> =>
    ((await post(tenant, '/api/v1/graphs/compile', flow)) as { graph_id: string }).graph_id;

  await post('neighbour', '/api/v1/packages', toolsPackage(neighbour, endpoints.neighbour));
  await post('attacker', '/api/v1/packages', toolsPackage(attacker, endpoints.attacker));
  const bombs: string[] = [];
  for (const expression of expressionBombs) {
    // A service may refuse a costly expression when it is compiled.
    const graph = await compile('attacker', mappingFlow(attacker, expression)).catch(() => undefined);
    if (graph !== undefined) bombs.push(graph);
  }
  const graphs = {
    echo: await compile('attacker', flowOf(attacker, 'Echo')),
    hang: await compile('attacker', flowOf(attacker, 'Hang')),
    chatty: await compile('attacker', flowOf(attacker, 'Chatty')),
    bombs,
  };
  const appKey = (await post('attacker', '/api/v1/api-keys', {
    name: 'public',
    graph_ids: [graphs.echo, ...bombs],
  })) as { key: string };
  return {
    target: { handle: attacker, key: keys.attacker, appKey: appKey.key, graphs },
    calls: {
      key: keys.neighbour,
      nodePath: `/invocations/v1/nodes/${neighbour}/tools/1.0.0/Echo`,
      graphId: await compile('neighbour', flowOf(neighbour, 'Echo')),
    },
  };
}
