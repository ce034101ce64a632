import assert from 'node:assert/strict';
import { SharedRead } from '../../../../service/nodes/split/shared-read.ts';

describe('shared reads', () => {
  let shared: SharedRead<number>;
  let reads: number;
  const read = (): Promise<number> => Promise.resolve((reads += 1));

  beforeEach(() => {
    shared = new SharedRead();
    reads = 0;
  });

  it('are executed once per key, even while in progress', async () => {
    assert.deepEqual(await Promise.all([shared.get(0, read), shared.get(0, read)]), [1, 1]);
    assert.equal(await shared.get(0, read), 1);
  });

  it('are executed again for another key, and keep only the latest key', async () => {
    assert.deepEqual([await shared.get(0, read), await shared.get(1, read)], [1, 2]);
    assert.deepEqual([await shared.get(1, read), await shared.get(0, read)], [2, 3]);
  });

  it('are executed again after a failure', async () => {
    const failed = shared.get(0, () => Promise.reject(new Error('the disk is full')));
    await assert.rejects(failed, /the disk is full/);
    assert.equal(await shared.get(0, read), 1);
  });
});
