import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { boundByFiles } from '../../service/open-files.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { until } from '../support/until.ts';

const launcher = new URL('../../service/cli/svc', import.meta.url).pathname;

suiteNeeds('processes', 'svc serve with few open files', function () {
  this.timeout(120_000);
  let folder: TemporaryFolder;
  let service: ServeProcess | undefined;
  const sockets: Socket[] = [];
  before(async function () {
    if (process.platform !== 'linux') this.skip();
    folder = await temporaryFolder({});
    service = await startServeProcess({ SVC_DATA_DIR: folder.path, SVC_SYNC: 'off', SVC_LOG_LEVEL: 'warn' }, [
      '/bin/sh',
      '-c',
      'ulimit -n 400 && exec "$@"',
      'sh',
      launcher,
    ]);
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await service?.kill();
    await folder.remove();
  });

  it('reports how many connections it accepts', async () => {
    await until(() => service?.stderr().includes('fewer connections are accepted') ?? false);
    const line = (service?.stderr() ?? '').split('\n').find((text) => text.includes('fewer connections'));
    const { openFiles, configured, accepted } = JSON.parse(line ?? '') as Record<string, number>;
    assert.deepEqual(
      { openFiles, configured, accepted },
      { openFiles: 400, configured: 10_000, accepted: 200 },
    );
  });

  it('stays ready when more connections without a key are opened than it has files', async () => {
    const port = Number(new URL(service?.url ?? '').port);
    let closed = 0;
    for (let n = 0; n < 500; n += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.once('close', () => {
        closed += 1;
      });
      sockets.push(socket);
      await once(socket, 'connect');
    }
    // The oldest are evicted.
    await until(() => closed >= 300);
    const ready = await fetch(`${service?.url}/readyz`);
    assert.equal(ready.status, 200, await ready.text());
    const metrics = await (await fetch(service?.metricsUrl ?? '')).text();
    const [, open = ''] = /^process_open_fds (\d+)$/m.exec(metrics) ?? [];
    assert.ok(Number(open) >= 200 && Number(open) < 400, `${open} files`);
  });
});

describe('the limit of connections', () => {
  const configured = { total: 10_000, perAddress: 1_000 };
  for (const [files, total] of [
    [undefined, 10_000],
    [10_256, 10_000],
    [10_255, 9_999],
    [512, 256],
    [100, 50],
    [1, 0],
  ] as const) {
    it(`is ${total} of 10,000 with ${files ?? 'an unknown number of'} files`, () => {
      assert.deepEqual(boundByFiles(configured, files), { ...configured, total });
    });
  }
});
