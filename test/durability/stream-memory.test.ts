import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../support/running-service.ts';
import { request } from '../support/running-service.ts';
import { openEvents } from '../support/event-stream.ts';
import { openRaw, type RawConnection } from '../support/raw-connection.ts';
import { runSvc, svc } from '../support/run-svc.ts';
import { program, type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { createSplit } from '../support/split-stream.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const flow = 'acme/streams/1.0.0/Flow';
const other = '/invocations/v1/nodes/acme/streams/1.0.0/Other';
const readers = 1_000;
/** Frames of a stream of 64 MiB. */
const wholeFrames = 16_384;
const patienceMs = 60_000;
/** The process looks every 4 seconds whether it rests, and gives memory back after the second time. */
const settleMs = 16_000;
/**
 * The service with a heap so small that garbage is collected before it can look like growth. With the heap that the launcher allows, the
 * amount of garbage depends on how busy the machine is.
 */
const smallHeap: [string, ...string[]] = [
  process.execPath,
  '--max-semi-space-size=4',
  '--max-old-space-size=80',
  program,
];

suiteNeeds('processes', 'the memory of streams', function () {
  this.timeout(300_000);
  let folder: TemporaryFolder;
  let service: ServeProcess;
  let streams: StreamPackage;
  let key: string;
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  const start = async (command: [string, ...string[]]): Promise<void> => {
    folder = await temporaryFolder({});
    const env = { SVC_DATA_DIR: folder.path };
    service = await startServeProcess({ ...env, SVC_MAX_CONNECTIONS_PER_ADDRESS: `${2 * readers}` }, command);
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
  };
  afterEach(async () => {
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
  /** Reads all frames of one stream, each of 4 KiB. */
  type ReadStream = (frames: number) => Promise<unknown>;
  /**
   * Resolves with the growth by 64 MiB in one stream, in MiB. Small streams come before, so that code is loaded and the heap has the size
   * that the work needs.
   */
  const growthOf = async (readStream: ReadStream): Promise<number> => {
    for (let streamed = 0; streamed < wholeFrames / 4; streamed += 256) await readStream(256);
    const before = await resident();
    const peak = await peakOf(readStream(wholeFrames));
    return peak - before;
  };

  /** Waits until the idle process has released unused memory, and resolves with the rest. */
  const settled = async (): Promise<number> => {
    let lowest = await resident();
    for (let unchangedSince = performance.now(); performance.now() - unchangedSince < settleMs;) {
      await pause(500);
      const now = await resident();
      if (now < lowest - 1) unchangedSince = performance.now();
      lowest = Math.min(lowest, now);
    }
    return resident();
  };

  /** Opens so many readers. Resolves with what each costs once memory has settled, in KiB: that of the requests is given back at rest. */
  const idleReadersCost = async (count: number, openOne: () => Promise<RawConnection>): Promise<number> => {
    const open: RawConnection[] = [];
    const openMore = async (more: number): Promise<void> => {
      for (let opened = 0; opened < more; opened += 1) open.push(await openOne());
    };
    await openMore(50);
    const before = await settled();
    await openMore(count);
    const eachKb = async (): Promise<number> => ((await resident()) - before) * (1_024 / count);
    const deadline = performance.now() + patienceMs;
    let each = await eachKb();
    while (each >= 50 && performance.now() < deadline) {
      await pause(500);
      each = await eachKb();
    }
    for (const { socket } of open) socket.destroy();
    return each;
  };

  it('is less than 50 KiB for each idle reader', async () => {
    await start([svc]);
    const stream = await createSplit(service.url, { key }, flow);
    const { pathname } = new URL(stream.outputUrl);
    const each = await idleReadersCost(readers, async () => {
      const connection = await openRaw(service.url);
      connection.send(`GET ${pathname} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      await connection.receives(/\r\n\r\n[^]*:\n\n/);
      return connection;
    });
    assert.ok(each < 50, `${each} KiB`);
  });

  it('grows by less than 40 MiB for 64 MiB of a split stream', async () => {
    await start(smallHeap);
    const line = `{"text":"${'x'.repeat(4_096 - 12)}"}\n`;
    const growth = await growthOf(async (count) => {
      const stream = await createSplit(service.url, { key }, flow);
      const reader = await stream.read();
      const [answer, frames] = await Promise.all([stream.upload(line.repeat(count)), reader.rest()]);
      assert.deepEqual([answer.body.input_frames, frames.length], [count, count + 1]);
    });
    assert.ok(growth < 40, `${growth} MiB`);
  });

  it('grows by less than 40 MiB for 64 MiB of the output of a call', async () => {
    await start(smallHeap);
    streams.handlers.set('Other', async function* (frames) {
      const text = 'x'.repeat(4_096 - 12);
      for await (const { number } of frames) {
        for (let made = 0n; made < number; made += 1n) yield { text };
      }
    });
    const growth = await growthOf(async (count) => {
      const stream = await openEvents(service.url + other, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ number: count }),
      });
      assert.equal((await stream.rest()).length, count + 1);
    });
    assert.ok(growth < 40, `${growth} MiB`);
  });
});
