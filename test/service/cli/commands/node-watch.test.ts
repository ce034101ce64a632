import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import { svc } from '../../../support/run-svc.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

const whole = {
  'package.yaml': `name: acme/echo
version: 1.0.0
nodes:
  - {name: Echo, input: acme.echo.Text, output: acme.echo.Text}
`,
  'echo.proto': 'syntax = "proto3";\npackage acme.echo;\nmessage Text {\n  string text = 1;\n}\n',
  'lib/greeting.ts': "export const greeting: string = 'one';\n",
  // A call that has begun waits for the file .gate if its text asks for that.
  'handlers.ts': `import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { greeting } from './lib/greeting.ts';
export default {
  async Echo({ text }: { text: string }, context: { log: (level: string, text: string) => void }) {
    context.log('info', 'begun');
    while (text === 'wait' && !existsSync(new URL('.gate', import.meta.url))) await setTimeout(5);
    return { text: greeting };
  },
};
`,
};

const textMessage = (text: string): Uint8Array => Uint8Array.of(0x0a, text.length, ...Buffer.from(text));

suiteNeeds('processes', 'svc node serve --watch', () => {
  let folder: TemporaryFolder;
  let child: ChildProcess;
  let notes: Interface;
  let endpoint: string;
  let pool: ContainerPool;

  beforeEach(async () => {
    folder = await temporaryFolder(whole);
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
    const started = spawn(svc, ['node', 'serve', folder.path, '--watch'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    notes = createInterface(started.stderr);
    const printed = once(createInterface(started.stdout), 'line') as Promise<[string]>;
    // The start note arrives through another pipe, possibly later.
    await once(notes, 'line');
    [endpoint] = await printed;
  });
  afterEach(async () => {
    pool.close();
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await folder.remove();
  });

  /** Writes synchronously, so that the program cannot read half of the change. */
  const write = (name: string, text: string): void => writeFileSync(path.join(folder.path, name), text);
  /** Writes a change and waits for the resulting note. */
  const change = async (name: string, text: string): Promise<string> => {
    const noted = once(notes, 'line') as Promise<[string]>;
    write(name, text);
    return (await noted)[0];
  };
  const call = async (text = '', onBegun?: () => void): Promise<string> => {
    const outcome = await pool.invoke(endpoint, nodeInvocation('Echo', textMessage(text)), {
      ...within(20_000),
      ...(onBegun && { listener: { onLog: onBegun } }),
    });
    assert.equal(outcome.kind, 'output', JSON.stringify(outcome));
    return Buffer.from((outcome as { bytes: Uint8Array }).bytes.slice(2)).toString();
  };

  it('serves changed handlers, even if only their imports have changed', async () => {
    assert.equal(await call(), 'one');
    assert.equal(
      await change('lib/greeting.ts', "export const greeting: string = 'two';\n"),
      'reloaded acme/echo@1.0.0 (1 node)',
    );
    assert.equal(await call(), 'two');
    await change('handlers.ts', "export default { Echo: () => ({ text: 'three' }) };\n");
    assert.equal(await call(), 'three');
  });

  it('serves changed protos and a changed package.yaml', async () => {
    await change('package.yaml', whole['package.yaml'].replace('1.0.0', '1.1.0'));
    const described = await pool.describe(endpoint, {});
    assert.ok('packages' in described, JSON.stringify(described));
    assert.deepEqual(
      described.packages.map(({ version }) => version),
      ['1.1.0'],
    );
  });

  it('detects changes of a file that an editor or a formatter replaces', async () => {
    const noted = once(notes, 'line') as Promise<[string]>;
    write('.new', "export const greeting: string = 'two';\n");
    await rename(path.join(folder.path, '.new'), path.join(folder.path, 'lib/greeting.ts'));
    assert.match((await noted)[0], /^reloaded/);
    assert.match(await change('lib/greeting.ts', "export const greeting: string = 'three';\n"), /^reloaded/);
    assert.equal(await call(), 'three');
  });

  it('finishes in-flight calls on the code that they started with', async () => {
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const waiting = call('wait', begun);
    await hasBegun;
    await change('lib/greeting.ts', "export const greeting: string = 'two';\n");
    assert.equal(await call(), 'two');
    write('.gate', '');
    assert.equal(await waiting, 'one');
  });

  it('keeps serving the previous code and reports the reason when a change does not load', async () => {
    assert.match(
      await change('handlers.ts', 'export default {'),
      /^not reloaded, still serving the previous code: .*handlers\.ts cannot be loaded: /,
    );
    assert.equal(await call(), 'one');
    notes.removeAllListeners('line');
    const again = new Promise<string>((resolve) =>
      notes.on('line', (line) => {
        if (line.startsWith('reloaded')) resolve(line);
      }),
    );
    write('handlers.ts', whole['handlers.ts']);
    await again;
    assert.equal(await call(), 'one');
  });
});
