import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { containerCredentials } from '../../service/nodes/container/container-credentials.ts';
import { createContainerPool } from '../../service/nodes/container/container-pool.ts';
import { type BashSession, startBash } from './bash-session.ts';
import { endOf } from './execution-records.ts';
import { type Caller, type RunningService, startService } from './running-service.ts';
import { nodeInvocation, within } from './node-invocation.ts';
import { svc } from './run-svc.ts';
import { tlsFile } from './tls-files.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** A package of `svc init package`, built and run with the commands of its README, except for the port. */
export interface ScaffoldedPackage {
  folder: string;
  /** Runs the commands of a section of the README, and returns their stdout. */
  run(section: string): Promise<string>;
  /**
   * Starts the container with the command of the README.
   *
   * @param options further options of the command
   * @returns its endpoint
   */
  serve(options?: string): Promise<string>;
  acme: Caller;
  close(): Promise<void>;
}

export async function scaffoldPackage(
  language: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ScaffoldedPackage> {
  const parent = await mkdtemp(path.join(tmpdir(), 'svc-init-'));
  const folder = path.join(parent, 'big-greeter');
  const service = await startService();
  const acme = await service.tenant('acme');
  const full = {
    ...env,
    SVC_BASE_URL: service.url,
    SVC_API_KEY: acme.key,
    // `npx svc` without the second that npx takes for each command.
    PATH: [path.dirname(svc), path.join(projectRoot, 'node_modules/.bin'), env.PATH].join(path.delimiter),
  };
  const bash = startBash({ cwd: projectRoot, env: full });
  await bash.run(`npx svc init package ${folder} --language ${language}`);
  const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
  return scene({ folder, readme, bash, env: full, acme, service, parent });
}

interface Scene {
  folder: string;
  parent: string;
  readme: string;
  bash: BashSession;
  env: NodeJS.ProcessEnv;
  acme: Caller;
  service: RunningService;
}

function scene({ folder, parent, readme, bash, env, acme, service }: Scene): ScaffoldedPackage {
  const containers: ChildProcess[] = [];
  let endpoint = '';
  return {
    folder,
    acme,
    run: (section) => bash.run(commandsOf(readme, section).replaceAll('grpc://127.0.0.1:9011', endpoint)),
    serve: async (options = '') => {
      const command = commandsOf(readme, 'Serve').replace('--port 9011', `--port 0 ${options}`);
      assert.match(command, /--port 0/);
      const started = spawn('bash', ['-c', command], {
        cwd: projectRoot,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      containers.push(started);
      [endpoint] = (await once(createInterface(started.stdout), 'line')) as [string];
      return endpoint;
    },
    close: async () => {
      bash.close();
      for (const container of containers) {
        const ended = once(container, 'close');
        // The command starts the container in a separate process, in the command's group.
        process.kill(-container.pid!, 'SIGTERM');
        await ended;
      }
      await service.stop();
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Returns the commands of the README under a heading. */
function commandsOf(readme: string, section: string): string {
  const text = readme.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? '';
  const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  assert.ok(commands.length > 0, `the README has no commands under "${section}"`);
  return commands.join('');
}

/** Calls the nodes of a scaffolded package that is published: an output, a failure, a stream, a pause and its decision. */
export async function checkNodes({ acme }: ScaffoldedPackage): Promise<void> {
  const nodes = '/invocations/v1/nodes/acme/big-greeter/1.0.0';
  assert.deepEqual((await acme.post(`${nodes}/Greet`, { name: 'Ada' })).body, { text: 'Hello, Ada!' });
  const failed = await acme.post(`${nodes}/Greet`, {});
  assert.equal(failed.status, 422);
  assert.deepEqual(failed.body, { error_message: 'name must not be empty' });
  const retried = await run(acme, 'Greet', {});
  const { events } = (await acme.get(`/invocations/v1/executions/${retried.execution_id}/events`)).body as {
    events: { type: string; log_message?: string }[];
  };
  assert.ok(!events.some(({ type }) => type.startsWith('NODE_RETRY')), 'the handler calls the failure final');
  assert.ok(events.some(({ type }) => type === 'NODE_FAILED'));
  const greeted = await run(acme, 'Greet', { name: 'Ada' });
  const logged = (await acme.get(`/invocations/v1/executions/${greeted.execution_id}/events`))
    .body as typeof retried;
  assert.match(JSON.stringify(logged), /"log_message":"greeting, attempt 1"/);

  const paused = await run(acme, 'Welcome', {});
  assert.ok(paused.pause_id, JSON.stringify(paused));
  const { pauses } = (await acme.get(`/invocations/v1/executions/${paused.execution_id}/pauses`)).body as {
    pauses: { interrupt_payload: unknown }[];
  };
  assert.deepEqual(pauses[0]?.interrupt_payload, { question: 'Who should be welcomed?' });
  const resumed = await acme.post(`/invocations/v1/flows/${paused.execution_id}/resume`, {
    pause_id: paused.pause_id,
    value: { name: 'Grace' },
  });
  assert.equal(resumed.status, 200, JSON.stringify(resumed.body));
  const ended = await endOf(acme, paused.execution_id ?? '');
  assert.equal(ended.status, 'COMPLETED');
}

async function run(acme: Caller, node: string, input: object): Promise<Record<string, string>> {
  const flow = {
    name: node,
    entry: 'only',
    terminal: 'only',
    nodes: [
      { id: 'only', package: 'acme/big-greeter', node_name: node, retry: { max_attempts: 2, initial_ms: 1 } },
    ],
    edges: [],
  };
  const compiled = await acme.post('/api/v1/graphs/compile', flow);
  const { graph_id: graphId } = compiled.body as Record<string, string>;
  const invoked = await acme.post('/invocations/v1/flows/invoke', { graph_id: graphId, input, wait: true });
  return invoked.body as Record<string, string>;
}

/** Starts the container with TLS and a token, and makes calls that do not reach a handler. */
export async function checkRefusals(scaffolded: ScaffoldedPackage): Promise<void> {
  const token = 'a'.repeat(32);
  const file = path.join(scaffolded.folder, 'token');
  await writeFile(file, `${token}\n`);
  const tls = `--tls-cert ${tlsFile('loopback.pem')} --tls-key ${tlsFile('loopback.key')}`;
  const endpoint = await scaffolded.serve(`--token-file ${file} ${tls}`);
  assert.match(endpoint, /^grpcs:/);
  const pool = createContainerPool({
    allowedHosts: [{ host: '127.0.0.1' }],
    tls: () => containerCredentials(readFileSync(tlsFile('authority.pem'), 'utf8')),
  });
  const call = async (
    node: string,
    { input = new Uint8Array(), name = 'acme/big-greeter', sent = token }: Refused = {},
  ): Promise<string> => {
    const invocation = nodeInvocation(node, input, { packageName: name, packageVersion: '1.0.0' });
    const outcome = await pool.invoke(endpoint, invocation, { ...within(20_000), token: sent });
    return 'message' in outcome ? outcome.message : outcome.kind;
  };
  try {
    // GreetRequest{name: "Ada"}
    assert.equal(await call('Greet', { input: Uint8Array.of(0x0a, 3, 0x41, 0x64, 0x61) }), 'output');
    assert.equal(await call('Greet'), 'name must not be empty');
    assert.match(await call('Greet', { sent: 'b'.repeat(32) }), /UNAUTHENTICATED: the token of the call/);
    assert.match(await call('Greet', { name: 'acme/other' }), /FAILED_PRECONDITION: this container serves/);
    assert.match(await call('Nobody'), /NOT_FOUND: .*"Nobody"/);
    assert.match(await call('GreetAll'), /UNIMPLEMENTED: GreetAll is a pipeline node/);
    assert.match(
      await call('Greet', { input: Uint8Array.of(0x0a, 200) }),
      /INVALID_ARGUMENT: the input is not/,
    );
    const described = await pool.describe(endpoint, {});
    assert.match(JSON.stringify(described), /UNAUTHENTICATED: the call has no token/);
  } finally {
    pool.close();
  }
}

interface Refused {
  input?: Uint8Array;
  name?: string;
  sent?: string;
}
