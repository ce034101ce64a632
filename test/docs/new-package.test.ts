import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type BashSession, startBash } from '../support/bash-session.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { readPage } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

suiteNeeds('processes', 'the new package of docs/packages.md', () => {
  let service: RunningService;
  let folder: TemporaryFolder;
  let bash: BashSession;
  let env: NodeJS.ProcessEnv;
  let container: ChildProcess | undefined;
  /** The commands of the section. */
  let [begin, serve, call] = ['', '', ''];

  before(async () => {
    const { text } = await readPage('docs/packages.md');
    const section = text.split(/^## /m).find((each) => each.startsWith('A new package\n')) ?? '';
    folder = await temporaryFolder({});
    const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) =>
      block.replaceAll('/tmp/', `${folder.path}/`),
    );
    assert.equal(blocks.length, 3);
    [begin, serve, call] = blocks as [string, string, string];
    service = await startService();
    const acme = await service.tenant('acme');
    env = { ...process.env, SVC_BASE_URL: service.url, SVC_API_KEY: acme.key };
    bash = startBash({ cwd: projectRoot, env });
  });
  after(async () => {
    bash.close();
    if (container !== undefined) {
      const ended = once(container, 'close');
      process.kill(-container.pid!, 'SIGTERM');
      await ended;
    }
    await service.stop();
    await folder.remove();
  });

  it('is created and passes its test', async () => {
    assert.match(await bash.run(begin), /handlers\.ts\n[^]*pass 4\n/);
  });

  it('is not overwritten', async () => {
    const [init = ''] = begin.split('\n');
    assert.match(await bash.run(`${init} 2>&1 || true`), /is not empty: choose a new or empty folder/);
  });

  it('is served, published and called, and reloads changed handlers', async () => {
    const started = spawn('bash', ['-c', serve.replace('--port 9011', '--port 0')], {
      cwd: projectRoot,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    container = started;
    const notes = createInterface(started.stderr);
    const [endpoint] = (await once(createInterface(started.stdout), 'line')) as [string];
    const commands = call.replace('grpc://127.0.0.1:9011', endpoint);
    assert.match(await bash.run(commands), /"text": "Hello, Ada!"/);

    const handlers = path.join(folder.path, 'welcome/handlers.ts');
    const reloaded = new Promise<void>((resolve) =>
      notes.on('line', (line) => {
        if (line.startsWith('reloaded')) resolve();
      }),
    );
    await writeFile(handlers, (await readFile(handlers, 'utf8')).replace('Hello, ', 'Good day, '));
    await reloaded;
    const [, callAgain = ''] = commands.split('\n');
    assert.match(await bash.run(callAgain), /"text": "Good day, Ada!"/);
  });
});
