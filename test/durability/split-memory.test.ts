import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../support/running-service.ts';
import { request } from '../support/running-service.ts';
import { openRaw, type RawConnection } from '../support/raw-connection.ts';
import { runSvc, svc } from '../support/run-svc.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { createSplit } from '../support/split-stream.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const flow = 'acme/streams/1.0.0/Flow';
const readers = 1_000;
const patienceMs = 60_000;

suiteNeeds('processes', 'the memory of split streams', function () {
  this.timeout(300_000);
  let folder: TemporaryFolder;
  let service: ServeProcess;
  let streams: StreamPackage;
  let key: string;
  before(async function () {
    if (process.platform !== 'linux') this.skip();
    folder = await temporaryFolder({});
    const env = { SVC_DATA_DIR: folder.path };
    service = await startServeProcess({ ...env, SVC_MAX_CONNECTIONS_PER_ADDRESS: `${2 * readers}` }, [svc]);
    const rates = [
      '--rps',
      '100000',
      '--burst',
      '100000',
      '--invocation-rps',
      '100000',
      '--invocation-burst',
    ];
    for (const args of [
      ['tenant', 'create', 'acme'],
      ['tenant', 'limits', 'acme', ...rates, '100000'],
      ['key', 'create', '--tenant', 'acme'],
    ]) {
      const { code, stdout, stderr } = await runSvc(args, { env });
      assert.equal(code, 0, stderr);
      key = stdout.trim();
    }
    const caller: Pick<Caller, 'post'> = {
      post: (path, body) =>
        request(service.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
    };
    streams = await publishStreams(caller as Caller, 'acme');
  });
  after(async () => {
    await service.kill();
    await streams.server.stop(0);
    await folder.remove();
  });

  const resident = async (): Promise<number> => {
    const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  };
  /** Runs, and resolves with the most memory at the same time, in MiB. */
  const peakOf = async (work: Promise<unknown>): Promise<number> => {
    let peak = 0;
    const state = { isDone: false };
    void work.finally(() => (state.isDone = true));
    while (!state.isDone) {
      peak = Math.max(peak, await resident());
      await pause(20);
    }
    await work;
    return peak;
  };
  const sendAll = async (): Promise<void> => {
    const stream = await createSplit(service.url, { key }, flow);
    const reader = await stream.read();
    const line = `{"text":"${'x'.repeat(4_096 - 12)}"}\n`;
    const [answer, frames] = await Promise.all([stream.upload(line.repeat(16_384)), reader.rest()]);
    assert.deepEqual([answer.body.input_frames, frames.length], [16_384, 16_385]);
  };

  it('is less than 50 KiB for each idle reader', async () => {
    const stream = await createSplit(service.url, { key }, flow);
    const { pathname } = new URL(stream.outputUrl);
    const open: RawConnection[] = [];
    const openMore = async (count: number): Promise<void> => {
      for (let opened = 0; opened < count; opened += 1) {
        const connection = await openRaw(service.url);
        connection.send(`GET ${pathname} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${key}\r\n\r\n`);
        await connection.receives(/\r\n\r\n[^]*:\n\n/);
        open.push(connection);
      }
    };
    await openMore(50);
    const before = await resident();
    await openMore(readers);
    const eachKb = async (): Promise<number> => ((await resident()) - before) * (1_024 / readers);
    const deadline = performance.now() + patienceMs;
    let each = await eachKb();
    // Memory of the requests is given back at rest.
    while (each >= 50 && performance.now() < deadline) {
      await pause(500);
      each = await eachKb();
    }
    for (const { socket } of open) socket.destroy();
    assert.ok(each < 50, `${each} KiB`);
  });

  it('grows by less than 40 MiB for 64 MiB', async () => {
    // The heap of the process is larger after the first streams, and they load code.
    await sendAll();
    await sendAll();
    const before = await resident();
    const peak = await peakOf(sendAll());
    assert.ok(peak - before < 40, `from ${before} to ${peak} MiB`);
  });
});
