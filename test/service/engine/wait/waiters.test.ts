import assert from 'node:assert/strict';
import { createWaiters } from '../../../../service/engine/wait/waiters.ts';

const end = { kind: 'failed', message: 'no', completedAt: 1 } as const;

describe('waiters', () => {
  it('receive the end of their own run only', async () => {
    const waiters = createWaiters();
    const all = Promise.all([
      waiters.next('one', 1000, undefined),
      waiters.next('one', 1000, undefined),
      waiters.next('two', 20, undefined),
    ]);
    waiters.settle('one', end);
    assert.deepEqual(await all, [end, end, undefined]);
  });

  it('end at their timeout, when the caller aborts, and on close', async () => {
    const waiters = createWaiters();
    assert.equal(await waiters.next('one', 1, undefined), undefined);
    const gone = new AbortController();
    const left = waiters.next('one', 60_000, gone.signal);
    gone.abort();
    assert.equal(await left, undefined);
    const closed = waiters.next('one', 60_000, undefined);
    waiters.close();
    assert.equal(await closed, undefined);
  });

  it('return at once if the caller has already aborted', async () => {
    assert.equal(await createWaiters().next('one', 60_000, AbortSignal.abort()), undefined);
  });
});
