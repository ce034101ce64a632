import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { type BashSession, startBash } from './support/bash-session.ts';
import { assertNoMismatches, metricsUrlIn } from './support/serve-process.ts';
import { suiteNeeds } from './support/toolchains.ts';
import { until } from './support/until.ts';

const projectRoot = path.resolve(import.meta.dirname, '..');
const SETUP_TIMEOUT_MS = 300_000;

type Server = ChildProcessByStdio<null, Readable, Readable>;

/**
 * "Your first node" of README.md, followed word for word: every block of it runs, in its order. Only what a second reader of
 * the same machine would change is changed: ports, and the folder under /tmp.
 */
suiteNeeds('npm', 'the README, followed by a new user', function () {
  this.timeout(SETUP_TIMEOUT_MS);

  const servers: Server[] = [];
  let folder: string;
  let bash: BashSession;
  let steps: ReadonlyMap<string, Step>;
  let endpoint = '';
  let baseUrl = '';
  let metricsUrl = '';
  let broken = false;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-readme-'));
    steps = readSteps(await readFile(path.join(projectRoot, 'README.md'), 'utf8'));
    bash = startBash({ cwd: projectRoot, env: newUser(folder) });
  });

  after(async () => {
    try {
      if (metricsUrl !== '') assertNoMismatches(await (await fetch(metricsUrl)).text());
    } finally {
      bash.close();
      await Promise.all(servers.map(stop));
      await rm(folder, { recursive: true, force: true });
    }
  });

  // Each step needs those before it.
  beforeEach(function () {
    if (broken) this.skip();
  });

  afterEach(function () {
    broken ||= this.currentTest?.state === 'failed';
  });

  it('starts the service', async () => {
    const [serve] = commands('1.');
    baseUrl = await startServer(serve!, { SVC_PORT: '0' }, (stderr) => {
      metricsUrl ||= metricsUrlIn(stderr) ?? '';
    });
    await until(() => metricsUrl !== '');
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('makes a tenant and a key', async () => {
    await follow('2.');
  });

  it('writes a package, serves and publishes it', async () => {
    await follow('3.');
    const [nodeServe, publish] = commands('4.');
    endpoint = await startServer(nodeServe!.replace('--port 9001', '--port 0'), {});
    assert.match(await bash.run(adapt(publish!)), /Greet/);
  });

  it('calls the node and gets the answer that the page shows', async () => {
    const [call] = commands('5.');
    const [shown] = step('5.').answers;
    assert.deepEqual(JSON.parse(await bash.run(adapt(call!))), JSON.parse(shown!));
  });

  it('tells mistakes as the page promises', async () => {
    const call = adapt(commands('5.')[0]!);
    const shownInput = /'\{.*?\}'/;
    assert.match(await bash.run(call.replace(shownInput, `'{"nme": "Ada"}'`)), /GreetRequest.*nme/);
    const failed = await bash.run(call.replace(shownInput, `'{}' -w '%{http_code}'`));
    assert.match(failed, /name must not be empty.*422$/s);
  });

  it('builds a client and downloads its SDKs', async () => {
    const [block = ''] = commands('6.');
    const output = await bash.run(adapt(block));
    assert.match(output, /typescript +succeeded/);
    assert.match(output, /hello-sdk-ts\.zip\n.*hello-sdk-py\.zip$/);
  });

  it('calls the node through the TypeScript SDK', async () => {
    const [example, own] = commands('7.');
    assert.match(await bash.run(adapt(example!)), /Hello, Ada!/);
    assert.equal(await bash.run(adapt(own!)), 'Hello, Ada! Hello, Ada! (22 letters)');
  });

  suiteNeeds('python', 'with Python', () => {
    it('calls the node through the Python SDK', async () => {
      const [, , example, own] = commands('7.');
      assert.match(await bash.run(adapt(example!)), /Hello, Ada!/);
      assert.equal(await bash.run(adapt(own!)), 'Hello, Ada! Hello, Ada! (22 letters)');
    });
  });

  function step(number: string): Step {
    const found = steps.get(number);
    assert.ok(found, `README.md has no step ${number}`);
    return found;
  }

  function commands(number: string): string[] {
    return step(number).commands;
  }

  async function follow(number: string): Promise<void> {
    for (const block of commands(number)) await bash.run(adapt(block));
  }

  function adapt(block: string): string {
    return block
      .replaceAll('http://127.0.0.1:8080', baseUrl)
      .replaceAll('grpc://127.0.0.1:9001', endpoint)
      .replaceAll('/tmp/', `${folder}/`);
  }

  /** Starts what the page runs in a terminal of its own; gives the first line of its stdout, its address. */
  async function startServer(
    block: string,
    env: NodeJS.ProcessEnv,
    onStderr: (stderr: string) => void = () => undefined,
  ): Promise<string> {
    const server = spawn('bash', ['-c', `exec ${adapt(block).trim()}`], {
      cwd: projectRoot,
      env: { ...newUser(folder), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that it ends with what npx started.
      detached: true,
    });
    servers.push(server);
    let stderr = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      onStderr(stderr);
    });
    const line = once(createInterface(server.stdout), 'line') as Promise<[string]>;
    const ended = once(server, 'close').then(() => {
      throw new Error(`${block} ended at once:\n${stderr}`);
    });
    const [address] = await Promise.race([line, ended]);
    // It is stopped at the end; from here on its end is no news.
    ended.catch(() => undefined);
    return address;
  }
});

interface Step {
  /** Blocks to run. */
  commands: string[];
  /** Blocks that show an answer. */
  answers: string[];
}

/** The steps of "Your first node" by their number as written (`3.`). */
function readSteps(readme: string): Map<string, Step> {
  const [, section = ''] = /\n## Your first node\n([^]*?)\n## /.exec(readme) ?? [];
  const texts = section.split('\n### ').slice(1);
  return new Map(
    texts.map((text) => [
      text.slice(0, text.indexOf(' ')),
      { commands: blocks(text, 'sh'), answers: blocks(text, 'json') },
    ]),
  );
}

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  );
}

/** The environment of somebody who has set nothing yet, with a data folder of their own. */
function newUser(folder: string): NodeJS.ProcessEnv {
  const set = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SVC_') && !name.startsWith('npm_'),
  );
  return { ...Object.fromEntries(set), SVC_DATA_DIR: path.join(folder, 'data') };
}

async function stop(server: Server): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return;
  const closed = once(server, 'close');
  process.kill(-server.pid, 'SIGTERM');
  await closed;
}
