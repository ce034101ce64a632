import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { PYTHON_VENV_TIMEOUT_MS, type PythonVenv, pythonVenv } from '../support/python-venv.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type SeededService, startSeededService } from './seeded-service.ts';

const seed = '1';
const checks = [
  'only_declared_failures',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
const hooks = path.join(import.meta.dirname, 'schemathesis_hooks.py');

/** Operations for which no generated request succeeds, with the reason. */
const neverMet: Readonly<Record<string, string>> = {
  debugStream: 'a WebSocket, which schemathesis cannot open',
  getPageAsset: 'names of files change with their bytes',
  openHome: 'redirects',
  readStream: 'excluded; split streams have tests of their own',
  uploadStream: 'the same',
  openLiveByPath: 'it asks for no upgrade',
  openLiveByUlid: 'the same',
};

suiteNeeds('python', 'requests generated from OpenAPI documents', function () {
  this.timeout(PYTHON_VENV_TIMEOUT_MS + 180_000);
  let seeded: SeededService;
  let venv: PythonVenv;
  let folder: string;

  before(async () => {
    venv = await pythonVenv();
    seeded = await startSeededService();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-schemathesis-'));
  });

  after(async () => {
    await seeded.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs Schemathesis and returns its output. Reports and caches stay in its working folder. */
  async function schemathesis(document: string, options: Record<string, string>): Promise<string> {
    const args = [
      'run',
      `${seeded.service.url}${document}`,
      '--no-color',
      ...Object.entries({
        '--header': `Authorization: Bearer ${seeded.acme.key}`,
        '--seed': seed,
        '--checks': checks.join(','),
        '--generation-database': 'none',
        '--suppress-health-check': 'all',
        ...options,
      }).flat(),
    ];
    const run = promisify(execFile)(venv.bin('schemathesis'), args, {
      env: {
        ...venv.env,
        SCHEMATHESIS_HOOKS: hooks,
        SVC_KNOWN_IDS: JSON.stringify(knownIds(seeded)),
        SVC_KNOWN_IDS_SEED: seed,
      },
      cwd: folder,
      maxBuffer: 2 ** 26,
    });
    const { stdout } = await run.catch((error: unknown) =>
      assert.fail(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
    );
    return stdout;
  }

  it(`to the service get documented responses, and never a server error (seed ${seed})`, async () => {
    const before = await successes(seeded);
    const stdout = await schemathesis('/openapi.json', {
      '--max-examples': '8',
      '--phases': 'examples,coverage,fuzzing',
      // Reading the streams that it has created would wait for their uploads, and a stream takes one upload only.
      '--exclude-operation-id-regex': '^(readStream|uploadStream)$',
    });
    assert.ok(Number(/(\d+) generated/.exec(stdout)?.[1]) > 500, stdout);
    const after = await successes(seeded);
    const missed = seeded.service.app.routes
      .map(({ operation }) => operation.id)
      .filter((id) => (after.get(id) ?? 0) <= (before.get(id) ?? 0));
    assert.deepEqual(missed.sort(), Object.keys(neverMet).sort());
  });

  it(`to nodes of a package get documented responses (seed ${seed})`, async () => {
    const stdout = await schemathesis(`/api/packages/acme/text@1.0.0/openapi.json`, {
      '--max-examples': '20',
      '--phases': 'examples,coverage,fuzzing',
    });
    assert.ok(Number(/(\d+) generated/.exec(stdout)?.[1]) > 60, stdout);
  });
});

/** Returns existing ids, without those of objects that the operation would delete. */
function knownIds(seeded: SeededService): object {
  const { waitingExecutionId, graphIds, executionId, nodeUlid, clientId, configId, checkpointId } = seeded;
  const { resumed, spareClientId } = seeded;
  const graphId = graphIds['describe-text'];
  const version = { id: clientId, version: '1' };
  const textPackage = { owner: 'acme', name: 'text' };
  const textVersion = { ...textPackage, version: '1.0.0' };
  const documented = { owner: 'acme', package: 'text', version: '1.0.0' };
  return {
    // Schemathesis learns ids from responses, and would delete what other requests need.
    kept: { deleteClient: { id: clientId } },
    path: {
      invokeNodeByPath: { ...documented, node: 'Tokenize' },
      invokeNodeByUlid: { node_ulid: nodeUlid },
      getNodeSchema: { node_ulid: nodeUlid },
      getExecution: { execution_id: executionId },
      listEvents: { execution_id: executionId },
      cancelExecution: { execution_id: waitingExecutionId },
      forkExecution: { execution_id: executionId },
      listExecutionPauses: { execution_id: resumed.executionId },
      resumeFlow: { execution_id: resumed.executionId },
      showResumeLink: { token: resumed.linkToken },
      resumeByLink: { token: resumed.linkToken },
      getCheckpoint: { execution_id: executionId, checkpoint_id: checkpointId },
      getPackage: textPackage,
      getPackageVersion: textVersion,
      deployPackage: { owner: 'acme', name: 'echo', version: '1.0.0' },
      undeployPackage: { owner: 'acme', name: 'planner', version: '1.0.0' },
      deletePackageVersion: { owner: 'acme', name: 'spare', version: '1.0.0' },
      getGraph: { graph_id: graphId },
      getGraphDiagram: { graph_id: graphId },
      getGraphSpec: { artifact_id: graphId },
      getGraphSpecYaml: { artifact_id: graphId },
      showGraph: { artifact_id: graphId },
      getPackageSpec: documented,
      getPackageSpecYaml: documented,
      showPackage: documented,
      getConfig: { config_id: configId },
      putConfig: { config_id: configId },
      getClient: { id: clientId },
      updateClient: { id: clientId },
      addMember: { id: clientId },
      replaceMembers: { id: clientId },
      removeMember: { id: clientId },
      deleteClient: { id: spareClientId },
      buildClient: { id: clientId },
      listBuilds: { id: clientId },
      getBuild: version,
      downloadSdk: version,
    },
    query: { getBuild: { language: 'typescript' }, downloadSdk: { language: 'typescript' } },
    body: {
      invokeFlow: { graph_id: graphId },
      streamFlow: { graph_id: graphIds['explain-errors'] },
      resumeFlow: { pause_id: resumed.pauseId },
      warmFlow: { graph_id: graphId },
      mintAppKey: { graph_ids: [graphId] },
      // The name of the example is that of a client which an earlier request creates.
      updateClient: { name: 'Seeded' },
      pollLogin: { login_secret: seeded.loginSecret },
      invokeNodeBinary: { node_id: nodeUlid },
    },
  };
}

/** Number of successful requests by operation, from the metrics of the service. */
async function successes({ service }: SeededService): Promise<Map<string, number>> {
  const text = await (await fetch(service.app.metricsUrl)).text();
  const counted = text.matchAll(/_seconds_count\{operation="(\w+)",status="2\d\d"\} (\d+)/g);
  const sums = new Map<string, number>();
  for (const [, operation = '', count] of counted) {
    sums.set(operation, (sums.get(operation) ?? 0) + Number(count));
  }
  return sums;
}
