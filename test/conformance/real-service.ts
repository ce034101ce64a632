import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { unpackArchive } from '../../service/cli/unpack-archive.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import {
  type FixturePackage,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type Caller, startService } from '../support/running-service.ts';
import { startDrivers } from './bench.ts';
import { checkResults } from './check-results.ts';
import type { ConformanceLanguage } from './conformance-language.ts';
import type { PlacedCase } from './read-cases.ts';
import { driverRequest } from './run-case.ts';

/** The service with the client `conformance`, and the driver of the archive that the service built. */
export interface RealBench {
  run(each: PlacedCase, flavour: string | undefined): Promise<string[]>;
  dispose(): Promise<void>;
}

/** Publishes the packages, creates the client with its members, and builds its SDK with the service. */
export async function setUpRealBench(language: ConformanceLanguage): Promise<RealBench> {
  const service = await startService();
  const acme = await service.tenant('acme');
  const containers = await Promise.all([publish(acme, 'acme-echo'), publish(acme, 'acme-streams')]);
  const root = await mkdtemp(path.join(tmpdir(), `svc-real-conformance-${language.id}-`));
  const { archive, graphIds } = await buildArchive(acme, service.url, language.id);
  await unpackArchive(archive, root);
  const apiKey = language.byAppKey === true ? await mintAppKey(acme, graphIds) : acme.key;
  const program = await language.build(root);
  const drivers = startDrivers(program);
  return {
    async run(each, flavour) {
      const driver = await drivers.with({}, flavour);
      const request = driverRequest(each, service.url);
      const client = { apiKey, baseUrl: service.url };
      // Delays of a source are meant for the clock of the scripted server.
      const steps = request.steps.map((step) => ({ ...step, inputPauseMs: step.inputPauseMs && 150 }));
      return checkResults(each.steps, await driver.run({ ...request, client, steps }));
    },
    async dispose() {
      await drivers.stop();
      await program.dispose?.();
      await service.stop();
      for (const container of containers) await container.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Time limit of the service to build an archive on a busy machine, in milliseconds. */
const BUILD_PATIENCE_MS = 300_000;

/** Members by alias, as package and node. */
const nodes = {
  echo: ['acme/echo', 'Echo'],
  'echo-kinds': ['acme/echo', 'EchoKinds'],
  'echo-free': ['acme/echo', 'EchoFree'],
  class: ['acme/echo', 'Echo'],
  größe: ['acme/echo', 'Echo'],
  'parse-logs': ['acme/streams', 'ParseLogs'],
  'continue-text': ['acme/streams', 'ContinueText'],
};
const flows = {
  'echo-twice': twice('echo-twice', 'Echo'),
  return: twice('return', 'EchoKinds'),
  'write-text': {
    name: 'write-text',
    mode: 'pipeline',
    entry: 'only',
    terminal: 'only',
    nodes: [{ id: 'only', package: 'acme/streams', node_name: 'ContinueText' }],
    edges: [],
  },
};

/** Starts the container of a package of fixtures/packages, and publishes it. */
async function publish(acme: Caller, name: FixturePackage): Promise<{ stop(): Promise<void> }> {
  const container = await startFixtureContainer(name);
  const body = await readPackageFolder(fixturePackageFolder(name));
  await made(acme.post('/api/v1/packages', { ...body, endpoint: container.endpoint }));
  return container;
}

interface BuiltClient {
  archive: Uint8Array;
  /** Of its flows. */
  graphIds: string[];
}

async function buildArchive(acme: Caller, url: string, language: string): Promise<BuiltClient> {
  const graphIds: string[] = [];
  const { id } = await made(acme.post('/api/v1/clients', { name: 'Conformance' }));
  const client = `/api/v1/clients/${String(id)}`;
  for (const [alias, [packageName, node]] of Object.entries(nodes))
    await made(
      acme.post(`${client}/members`, { type: 'node', package: packageName, node_name: node, alias }),
    );
  for (const [alias, document] of Object.entries(flows)) {
    const graph = await made(acme.post('/api/v1/graphs/compile', document));
    graphIds.push(String(graph.graph_id));
    const flow = { type: 'flow', artifact_id: graph.graph_artifact_id, alias };
    await made(acme.post(`${client}/members`, flow));
  }
  await made(acme.post(`${client}/build`, { languages: [language] }));
  const until = performance.now() + BUILD_PATIENCE_MS;
  for (;;) {
    const build = await made(acme.get(`${client}/versions/1?language=${language}`));
    assert.notEqual(build.status, 'failed', String(build.error));
    if (build.status === 'succeeded') break;
    const message = `the build is ${String(build.status)} after ${BUILD_PATIENCE_MS} ms`;
    assert.ok(performance.now() < until, message);
    await pause(50);
  }
  const response = await fetch(`${url}${client}/versions/1/download?language=${language}`, {
    headers: { authorization: `Bearer ${acme.key}` },
  });
  return { archive: new Uint8Array(await response.arrayBuffer()), graphIds };
}

/** An app key for pages of any origin, with rates that no case reaches. */
async function mintAppKey(acme: Caller, graphIds: string[]): Promise<string> {
  const rates = { rate_rps: 1_000, rate_burst: 10_000 };
  const { key } = await made(acme.post('/api/v1/api-keys', { name: 'pages', graph_ids: graphIds, ...rates }));
  return String(key);
}

/** A flow of two steps that return their input. */
function twice(name: string, node: string): object {
  return {
    name,
    entry: 'first',
    terminal: 'second',
    nodes: ['first', 'second'].map((id) => ({ id, package: 'acme/echo', node_name: node })),
    edges: [{ from: 'first', to: 'second' }],
  };
}

/** The body of a response that must be successful. */
async function made(call: Promise<{ status: number; body: unknown }>): Promise<Record<string, unknown>> {
  const { status, body } = await call;
  assert.ok(status < 300, `${status}: ${JSON.stringify(body)}`);
  return body as Record<string, unknown>;
}
