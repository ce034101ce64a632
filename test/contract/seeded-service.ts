import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readFlowDocument } from '../../service/cli/flow-document.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import {
  type FixtureContainer,
  type FixturePackage,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { publishSteps, step } from '../support/step-package.ts';
import { stepPackage } from '../support/step-package.ts';

const flowsFolder = path.resolve(import.meta.dirname, '../../fixtures/flows');
const packages: readonly FixturePackage[] = [
  'acme-text',
  'acme-orders',
  'acme-generic',
  'acme-echo',
  'acme-planner',
  'acme-streams',
];

/** A service with fixture packages, their containers, flows, runs, and clients with builds. */
export interface SeededService {
  service: RunningService;
  acme: Caller;
  /** `<handle>/<name>@<version>` */
  packages: readonly string[];
  /** By name of the file. */
  graphIds: Readonly<Record<string, string>>;
  nodeUlid: string;
  /** Id of a run that has ended. */
  executionId: string;
  /** Id of a run that waits for an hour. */
  waitingExecutionId: string;
  /** A run that a human decided on. */
  resumed: { executionId: string; pauseId: string; linkToken: string };
  checkpointId: string;
  configId: string;
  /** Id of a client with two members and a TypeScript build of version 1. */
  clientId: string;
  /** Id of a client that no other request uses. */
  spareClientId: string;
  /** Secret of a login that waits for its approval. */
  loginSecret: string;
  stop(): Promise<void>;
}

export async function startSeededService(env: Record<string, string> = {}): Promise<SeededService> {
  const service = await startService(env);
  const containers: FixtureContainer[] = [];
  const acme = await service.tenant('acme');
  const send = async (target: string, body: object, method: 'post' | 'put' = 'post') => {
    const answer = await acme[method](target, body);
    assert.ok(answer.status < 300, `${target}: ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, string> & { nodes: { node_ulid: string }[] };
  };

  const published: string[] = [];
  let nodeUlid = '';
  for (const name of packages) {
    const container = await startFixtureContainer(name);
    containers.push(container);
    const body = await readPackageFolder(fixturePackageFolder(name));
    const answer = await send('/api/v1/packages', { ...body, endpoint: container.endpoint });
    published.push(`${body.name}@${body.version}`);
    nodeUlid ||= answer.nodes[0]?.node_ulid ?? '';
  }
  // An unreferenced version.
  await send('/api/v1/packages', stepPackage({ name: 'acme/spare' }));
  await send('/api/v1/instances', {
    generic_package: 'acme/generic',
    generic_node: 'Mock',
    name: 'acme/notes',
    output: { message_name: 'Note', fields: { text: 'string' } },
  });
  const graphIds: Record<string, string> = {};
  for (const file of readdirSync(flowsFolder)) {
    const flow = (await readFlowDocument(path.join(flowsFolder, file))) as object;
    const compiled = await send('/api/v1/graphs/compile', flow);
    graphIds[path.basename(file, '.yaml')] = compiled.graph_id ?? '';
  }
  const graphId = graphIds['describe-text'] ?? '';
  const { execution_id: executionId = '' } = await send('/invocations/v1/flows/invoke', {
    graph_id: graphId,
    input: { text: 'Compilers translate programs' },
    wait: true,
  });
  const paused = await send('/invocations/v1/flows/invoke', {
    graph_id: graphIds['approve-order'],
    input: { lines: [{ sku: 'BOOK-1', quantity: 1_000 }], region: 'REGION_GERMANY' },
    wait: true,
  });
  const pausedId = paused.execution_id ?? '';
  const { pauses } = (await acme.get(`/invocations/v1/executions/${pausedId}/pauses`)).body as {
    pauses: { resume_url: string }[];
  };
  const resumed = {
    executionId: pausedId,
    pauseId: paused.pause_id ?? '',
    linkToken: pauses[0]?.resume_url.split('/').at(-1) ?? '',
  };
  await send(`/invocations/v1/flows/${resumed.executionId}/resume`, { pause_id: resumed.pauseId });
  // No container listens there, so the node is retried for hours.
  await publishSteps(acme, { endpoint: 'grpc://127.0.0.1:1' });
  const retry = { max_attempts: 9, initial_ms: 3_600_000, max_ms: 3_600_000 };
  const waiting = { name: 'Waiting', entry: 'a', terminal: 'a', nodes: [step('a', { retry })] };
  const later = await send('/api/v1/graphs/compile', waiting);
  const { execution_id: waitingExecutionId = '' } = await send('/invocations/v1/flows/invoke', {
    graph_id: later.graph_id,
    input: {},
  });
  const { latest_checkpoint_id: checkpointId = '' } = (
    await acme.get(`/invocations/v1/executions/${executionId}`)
  ).body as Record<string, string>;
  const configId = 'strict';
  await send(`/api/v1/configs/${configId}`, { currency: 'EUR' }, 'put');

  const { id: clientId = '' } = await send('/api/v1/clients', {
    name: 'Seeded',
    default_language: 'typescript',
  });
  const members = `/api/v1/clients/${clientId}/members`;
  await send(members, { type: 'node', package: 'acme/text', node_name: 'WordStatistics' });
  await send(members, { type: 'flow', artifact_id: graphId });
  await send(`/api/v1/clients/${clientId}/build`, {});
  const build = `/api/v1/clients/${clientId}/versions/1?language=typescript`;
  const status = async () => ((await acme.get(build)).body as { status: string }).status;
  while ((await status()) === 'pending') await pause(50);
  assert.equal(await status(), 'succeeded');
  const { id: spareClientId = '' } = await send('/api/v1/clients', {
    name: 'Spare',
    default_language: 'go',
  });
  const { login_secret: loginSecret = '' } = await send('/api/v1/logins', {});
  return {
    service,
    acme,
    packages: published,
    graphIds,
    nodeUlid,
    executionId,
    waitingExecutionId,
    resumed,
    checkpointId,
    configId,
    clientId,
    spareClientId,
    loginSecret,
    stop: async () => {
      await service.stop();
      await Promise.all(containers.map((container) => container.stop()));
    },
  };
}
