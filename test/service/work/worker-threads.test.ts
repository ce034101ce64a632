import assert from 'node:assert/strict';
import { ThreadMemoryExceeded, WorkerThreads } from '../../../service/work/worker-threads.ts';
import { itSlow } from '../../support/fast-run.ts';

/** Evaluates each message, and answers with its value. */
const entry = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (code) => parentPort.postMessage(new Function('threadId', code)(threadId)));
  `)}`,
);
const forever = 'for (;;);';
const idOfThread = 'return threadId;';

describe('worker threads', () => {
  let threads: WorkerThreads<string, unknown>;
  beforeEach(() => {
    threads = new WorkerThreads({ entry, megabytes: 64 });
  });
  afterEach(() => threads.close());

  it('respond to messages, and are reused', async () => {
    const first = await threads.run(idOfThread);
    assert.equal(await threads.run(idOfThread), first);
    const both = await Promise.all([threads.run(idOfThread), threads.run(idOfThread)]);
    assert.equal(new Set(both).size, 2);
  });

  it('are terminated and replaced when the signal aborts', async () => {
    const first = await threads.run(idOfThread);
    const gone = new AbortController();
    const endless = threads.run(forever, gone.signal);
    gone.abort(new Error('no longer needed'));
    await assert.rejects(endless, /no longer needed/);
    await assert.rejects(threads.run(idOfThread, gone.signal), /no longer needed/);
    assert.notEqual(await threads.run(idOfThread), first);
  });

  it('fail and are replaced if they exceed the memory limit', async () => {
    const greedy = "const all = []; for (let i = 0; ; i += 1) all.push({ i, text: 'x' + i });";
    await assert.rejects(threads.run(greedy), ThreadMemoryExceeded);
    assert.equal(await threads.run('return 1;'), 1);
  });

  it('report the error that ended them, and are replaced', async () => {
    await assert.rejects(threads.run("throw new Error('broken')"), (error: Error) => {
      assert.equal(error.message, 'the thread died');
      assert.match(String(error.cause), /broken/);
      return true;
    });
    await assert.rejects(threads.run('process.exit(3)'), /the thread ended before it answered/);
    assert.equal(await threads.run('return 1;'), 1);
  });

  it('end when idle', async () => {
    const brief = new WorkerThreads<string, unknown>({ entry, megabytes: 64, idleMs: 1 });
    const first = await brief.run(idOfThread);
    // Hangs if the thread stays.
    do await new Promise((resolve) => setTimeout(resolve, 20));
    while ((await brief.run(idOfThread)) === first);
    await brief.close();
  });

  itSlow('accept no message while they end', async () => {
    const brief = new WorkerThreads<string, unknown>({ entry, megabytes: 64, idleMs: 2 });
    // Each message comes right behind the end of the idle time.
    for (let round = 0; round < 30; round += 1) {
      assert.equal(await brief.run('return 1;'), 1);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await brief.close();
  });

  it('fail running messages on close, and reject later ones', async () => {
    const endless = assert.rejects(threads.run(forever), /the thread ended before it answered/);
    await threads.close();
    await endless;
    await assert.rejects(threads.run('return 1;'), /the worker threads are closed/);
  });

  itSlow(
    'that exit on request can be closed while they create zlib streams, and are terminated if they hang',
    async () => {
      // Node aborts the process in most runs if it terminates 150 such threads.
      const compressing = new URL(
        `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads';
        import { deflateRaw } from 'node:zlib';
        const compress = () => deflateRaw(Buffer.alloc(20_000, 'abc def'), compress);
        parentPort.on('message', (text) => {
          if (text === undefined) process.exit();
          if (text === 'hang') for (;;);
          parentPort.postMessage(text);
          compress();
        });
      `)}`,
      );
      for (let i = 0; i < 40; i += 1) {
        const busy = new WorkerThreads<string, unknown>({
          entry: compressing,
          megabytes: 64,
          endsItself: true,
        });
        assert.equal(await busy.run('compress'), 'compress');
        await new Promise((resolve) => setTimeout(resolve, i % 10));
        await busy.close();
      }
      const hanging = new WorkerThreads<string, unknown>({
        entry: compressing,
        megabytes: 64,
        endsItself: true,
      });
      await assert.rejects(hanging.run('hang', AbortSignal.timeout(100)), /timeout/);
      await hanging.close();
    },
  );
});
