import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type PageBash, startPageBash } from '../support/page-bash.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { readPage } from './page.ts';

const launcher = path.resolve(import.meta.dirname, '../../service/cli/svc');

suiteNeeds('processes', 'the next version of a package, by the steps of docs/packages.md', function () {
  this.timeout(120_000);
  let service: RunningService;
  let acme: Caller;
  let bash: PageBash;
  /** The commands of the section, with the names of this test. */
  let commands: string[];
  const containers: ChildProcess[] = [];

  before(async () => {
    const { text } = await readPage('docs/packages.md');
    const section = text.split(/^### /m).find((each) => each.startsWith('The next version\n')) ?? '';
    const names: [RegExp | string, string][] = [
      [/<dir>/g, 'greetings'],
      [/<copy>/g, 'greetings-2'],
      ['<handle>/<name>@<version> --endpoint', 'acme/greetings@1.0.0 --endpoint'],
      [/<handle>\/<name>@<version>/g, 'acme/greetings@1.0.0'],
      ['<handle>/<name>/<version>/<node>', 'acme/greetings/1.1.0/Greet'],
      [/<client>/g, '"$CLIENT"'],
      [/<alias>/g, 'Greet'],
      ['<language>', 'go'],
      ['<endpoint>', '"$OLD"'],
    ];
    const quoted = [...section.matchAll(/`((?:cp|npx) [^`]+)`/g)].map(([, command = '']) => command);
    commands = quoted.map((command) => names.reduce((made, [from, to]) => made.replace(from, to), command));
    service = await startService();
    acme = await service.tenant('acme');
    bash = await startPageBash({ SVC_BASE_URL: service.url, SVC_API_KEY: acme.key });
  });
  after(async () => {
    for (const container of containers) {
      const ended = once(container, 'close');
      container.kill();
      await ended;
    }
    await bash.close();
    await service.stop();
  });

  /** Runs the command of the section that begins with this text. */
  function follow(start: string): Promise<string> {
    const [command, ...others] = commands.filter((each) => each.startsWith(start));
    assert.ok(command !== undefined && others.length === 0, `commands with ${start}: ${commands.join('\n')}`);
    return bash.run(command);
  }

  /** Starts a container of a folder and returns its endpoint. */
  async function serve(folder: string): Promise<string> {
    const args = ['node', 'serve', path.join(bash.folder, folder), '--port', '0'];
    const container = spawn(launcher, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    containers.push(container);
    const [endpoint] = (await once(createInterface(container.stdout), 'line')) as [string];
    return endpoint;
  }

  async function change(file: string, from: string, to: string): Promise<void> {
    const place = path.join(bash.folder, 'greetings-2', file);
    const text = await readFile(place, 'utf8');
    assert.ok(text.includes(from), text);
    await writeFile(place, text.replace(from, to));
  }

  const call = (version: string) =>
    bash.run(`npx svc node call acme/greetings/${version}/Greet --input '{"name": "Ada"}'`);

  it('is served, published and called beside the old version', async () => {
    await bash.run('npx svc init package greetings');
    const old = await serve('greetings');
    await bash.run(`OLD=${old}; npx svc package publish greetings --endpoint "$OLD"`);
    await bash.run(
      'CLIENT=$(npx svc client create Greetings --json | grep -o \'"id": *"[^"]*"\' | cut -d \'"\' -f 4)',
    );
    await bash.run('npx svc client add "$CLIENT" acme/greetings/1.0.0/Greet --alias Greet');

    await follow('cp -r');
    await change('package.yaml', '1.0.0', '1.1.0');
    await change('handlers.ts', 'Hello, ', 'Good day, ');
    await follow('npx svc node types');
    const refused = `npx svc package publish greetings-2 --endpoint "$OLD" 2>&1 || true`;
    assert.match(await bash.run(refused), /1\.0\.0/);
    await bash.run(`npx svc package publish greetings-2 --endpoint ${await serve('greetings-2')}`);
    assert.match(await call('1.0.0'), /Hello, Ada!/);
    assert.match(await call('1.1.0'), /Good day, Ada!/);
  });

  it('replaces the old version in a client', async () => {
    await follow('npx svc client remove');
    await follow('npx svc client add');
    const built = await follow('npx svc client build');
    assert.match(built, /^\d +go +succeeded/m);
  });

  it('remains when the old version is undeployed', async () => {
    await follow('npx svc package deploy');
    await follow('npx svc package undeploy');
    assert.match(await call('1.1.0'), /Good day, Ada!/);
    await assert.rejects(call('1.0.0'), /deployed/);
  });
});
