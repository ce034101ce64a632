import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readPage } from '../docs/page.ts';
import { startBash } from '../support/bash-session.ts';
import { startInstalledPostgres } from '../support/installed-postgres.ts';
import { runSvc } from '../support/run-svc.ts';
import {
  type Answer,
  type ScriptedContainer,
  startScriptedContainer,
} from '../support/scripted-container.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { stepPackage, twoSteps } from '../support/step-package.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';

interface Execution {
  execution_id: string;
  status: string;
}

const launcher = path.resolve(import.meta.dirname, '../../service/cli/svc');

/** Too large for a row of the journal. */
const largeText = 'x'.repeat(100_000);

/** The restored process takes runs over once the old one counts as dead. */
const patienceMs = 120_000;

/** Two services, `old` and `new`, and the way from one to the other. */
interface Backups {
  /** Variables of a service, except its data folder. */
  env: (name: string) => Record<string, string>;
  backup: () => Promise<void>;
  restore: () => Promise<void>;
}

/** @param backups makes them when the suite runs; `dataDir` is the data folder of a service by its name */
function describeBackup(backups: (dataDir: (name: string) => string) => Backups): void {
  let folder: TemporaryFolder;
  let container: ScriptedContainer;
  let service: ServeProcess | undefined;
  let key: string;
  /** Answers of step b that the test holds back. */
  const held: (() => void)[] = [];
  let open = true;
  before(async () => {
    folder = await temporaryFolder({});
    container = await startScriptedContainer((answer: Answer, { context, input }) => {
      const reply = (): void => {
        answer.say({ case: 'output', value: input });
        answer.end();
      };
      if (open || context?.placementId === 'a') reply();
      else held.push(reply);
    });
  });
  after(async () => {
    await service?.kill();
    container.kill();
    await folder.remove();
  });

  const dataDir = (name: string): string => path.join(folder.path, name);
  const { env, backup, restore } = backups(dataDir);
  const envOf = (name: string): Record<string, string> => ({ SVC_DATA_DIR: dataDir(name), ...env(name) });
  const svcOn = async (name: string, ...args: string[]): Promise<string> => svc(args, envOf(name));
  const request = (route: string, body?: object): Promise<Response> =>
    fetch(`${service?.url}${route}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const send = async (route: string, body?: object): Promise<Record<string, string>> => {
    const response = await request(route, body);
    const answer = (await response.json()) as Record<string, string>;
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  };
  const invoke = async (graphId: string, text: string, wait = false): Promise<string> => {
    const answer = await send('/invocations/v1/flows/invoke', { graph_id: graphId, input: { text }, wait });
    return answer.execution_id ?? '';
  };
  const listed = async (): Promise<Execution[]> => {
    const page = (await send('/invocations/v1/executions?limit=1000')) as unknown as {
      executions: Execution[];
    };
    return page.executions;
  };
  const archiveOf = async (clientId: string): Promise<Buffer> => {
    const route = `/api/v1/clients/${clientId}/versions/1/download?language=typescript`;
    const response = await request(route);
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer());
  };

  it('restores all runs of one moment, completes each exactly once, and serves the same archives', async () => {
    service = await startServeProcess(envOf('old'));
    await svcOn('old', 'tenant', 'create', 'acme');
    const wide = ['--invocation-rps', '--invocation-burst', '--daily-invocations', '--daily-executions'];
    await svcOn('old', 'tenant', 'limits', 'acme', ...wide.flatMap((flag) => [flag, '1000000']));
    key = await svcOn('old', 'key', 'create', '--tenant', 'acme');
    await send('/api/v1/packages', stepPackage({ endpoint: container.endpoint }));
    const { graph_id: graphId = '' } = await send('/api/v1/graphs/compile', twoSteps());
    const { id: clientId = '' } = await send('/api/v1/clients', { name: 'Backed up' });
    await send(`/api/v1/clients/${clientId}/members`, { type: 'flow', artifact_id: graphId });
    await send(`/api/v1/clients/${clientId}/build`, { languages: ['typescript'] });
    const build = `/api/v1/clients/${clientId}/versions/1?language=typescript`;
    while ((await send(build)).status === 'pending') await pause(50);
    const archive = await archiveOf(clientId);
    const endedId = await invoke(graphId, largeText, true);

    // Runs that wait for step b, and others that start and end while the backup is made.
    open = false;
    const parked = await Promise.all(Array.from({ length: 10 }, (_, n) => invoke(graphId, `parked ${n}`)));
    while (held.length < parked.length) await pause(10);
    const backedUp = new AbortController();
    const busy = (async () => {
      for (let n = 0; n < 40 && !backedUp.signal.aborted; n += 1) {
        await invoke(graphId, `${n}: ${largeText}`);
        if (n % 2 === 1) held.pop()?.();
      }
    })();
    await backup();
    backedUp.abort();
    await busy;
    const inOld = new Set((await listed()).map(({ execution_id }) => execution_id));
    await service.kill();
    held.length = 0;

    await restore();
    service = await startServeProcess(envOf('new'));
    const restored = await listed();
    assert.ok(restored.length > parked.length, `${restored.length} runs`);
    assert.deepEqual(
      restored.filter(({ execution_id }) => !inOld.has(execution_id)),
      [],
    );
    const isOpen = ({ status }: Execution): boolean => status === 'RUNNING' || status === 'QUEUED';
    assert.ok(restored.filter(isOpen).length >= 5);
    open = true;
    const deadline = performance.now() + patienceMs;
    while ((await listed()).some(isOpen)) {
      assert.ok(performance.now() < deadline, JSON.stringify((await listed()).filter(isOpen)));
      for (const reply of held.splice(0)) reply();
      await pause(200);
    }
    const ended = await listed();
    assert.deepEqual(ended.map(({ execution_id }) => execution_id).sort(), ids(restored));
    for (const execution of ended) {
      assert.equal(execution.status, 'COMPLETED');
      await assertEndedOnce(execution.execution_id);
    }
    const { events } = (await send(
      `/invocations/v1/executions/${endedId}/events?decode=true`,
    )) as unknown as {
      events: { type: string; output?: { text?: string } }[];
    };
    assert.equal(events.findLast(({ type }) => type === 'NODE_COMPLETED')?.output?.text, largeText);
    assert.ok(archive.equals(await archiveOf(clientId)));
    assert.equal(await service.stop(), 0);
  });

  function ids(executions: readonly Execution[]): string[] {
    return executions.map(({ execution_id }) => execution_id).sort();
  }

  async function assertEndedOnce(id: string): Promise<void> {
    const { events } = (await send(`/invocations/v1/executions/${id}/events`)) as unknown as {
      events: { type: string; node_id?: string }[];
    };
    const counted = events
      .filter(({ type }) => type === 'NODE_COMPLETED' || type === 'FLOW_COMPLETED')
      .map(({ type, node_id }) => `${type} ${node_id ?? ''}`.trim());
    assert.deepEqual(counted, ['NODE_COMPLETED a', 'NODE_COMPLETED b', 'FLOW_COMPLETED'], id);
  }
}

/** Returns the blocks of commands of docs/operating.md between two headings. */
async function blocksBetween(start: string, end: string): Promise<string[]> {
  const { text } = await readPage('docs/operating.md');
  const section = text.slice(text.indexOf(start), text.indexOf(end));
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

async function svc(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runSvc(args, { env });
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

suiteNeeds(
  'processes',
  'a backup of a service that runs on SQLite, made by the commands of docs/operating.md',
  function () {
    this.timeout(300_000);
    let commands: string[];
    before(async () => {
      const [block = ''] = await blocksBetween('\n### SQLite\n', '\n### PostgreSQL\n');
      commands = block.trim().split('\n');
      assert.equal(commands.length, 4);
      assert.match(commands[3] ?? '', /svc serve$/, 'the test starts the service itself');
    });

    describeBackup((dataDir) => {
      const runCommands = async (lines: readonly string[]): Promise<void> => {
        const env = { ...process.env, SVC_DATA_DIR: dataDir('old') };
        const bash = startBash({ cwd: path.dirname(dataDir('old')), env });
        const script = lines.join('\n').replaceAll('./restored', dataDir('new'));
        await bash.run(`svc() { '${launcher}' "$@"; }\n${script.replace(' data/', ` ${dataDir('old')}/`)}`);
        bash.close();
      };
      return {
        env: () => ({}),
        backup: () => runCommands(commands.slice(0, 1)),
        restore: () => runCommands(commands.slice(1, 3)),
      };
    });
  },
);

suiteNeeds(
  'postgres-tools',
  'a backup of a service that runs on PostgreSQL, made by the commands of docs/operating.md',
  function () {
    this.timeout(300_000);
    let server: Awaited<ReturnType<typeof startInstalledPostgres>>;
    const urls = new Map<string, string>();
    let blocks: string[];
    before(async () => {
      server = await startInstalledPostgres();
      for (const name of ['old', 'new']) urls.set(name, server.createDatabase(`svc_${name}`));
      await svc(['migrate'], { SVC_DATABASE_URL: urls.get('old') ?? '' });
      blocks = await blocksBetween('\n### PostgreSQL\n', '\n## Upgrade\n');
      assert.equal(blocks.length, 2);
    });
    after(() => server.stop());

    describeBackup((dataDir) => {
      const env = (name: string): Record<string, string> => ({ SVC_DATABASE_URL: urls.get(name) ?? '' });
      const runBlock = async (block: string | undefined, name: string): Promise<void> => {
        const PATH = `${server.bin}:${process.env.PATH}`;
        const variables = { ...process.env, PATH, SVC_DATA_DIR: dataDir(name), ...env(name) };
        const bash = startBash({ cwd: path.dirname(dataDir(name)), env: variables });
        await bash.run(block ?? '');
        bash.close();
      };
      return { env, backup: () => runBlock(blocks[0], 'old'), restore: () => runBlock(blocks[1], 'new') };
    });
  },
);
