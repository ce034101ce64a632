import assert from 'node:assert/strict';
import { readFileSync, readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import path from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../service/work/lower-thread-priority.ts';

interface Priorities {
  before: number;
  after: number;
}

/** Field 19 of the thread's `stat` file, after its name, which may contain spaces. */
function threadPriority(): number {
  const stat = readFileSync('/proc/thread-self/stat', 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}

if (isMainThread) {
  describe('lowerThreadPriority', () => {
    it('lowers only the priority of the calling thread', async function () {
      if (process.platform !== 'linux') this.skip();
      const own = getPriority(Number(path.basename(readlinkSync('/proc/thread-self'))));
      const worker = new Worker(new URL(import.meta.url));
      const { before, after } = await new Promise<Priorities>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
      });
      await worker.terminate();
      assert.equal(before, own);
      assert.equal(after, Math.min(19, before + 3));
      assert.equal(threadPriority(), own);
    });
  });
} else {
  const before = threadPriority();
  lowerThreadPriority();
  parentPort?.postMessage({ before, after: threadPriority() });
}
