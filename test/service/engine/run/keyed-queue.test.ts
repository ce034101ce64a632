import assert from 'node:assert/strict';
import { KeyedQueue } from '../../../../service/engine/run/keyed-queue.ts';

describe('a keyed queue', () => {
  it('runs one task at a time per key, even after a failure, and tasks of other keys at once', async () => {
    const queue = new KeyedQueue();
    const done: string[] = [];
    let fail: (error: Error) => void = () => undefined;
    const first = queue.run('a', async (waited) => {
      await new Promise((_resolve, reject) => (fail = reject));
      done.push(`first ${waited}`);
    });
    const second = queue.run('a', (waited) => Promise.resolve(done.push(`second ${waited}`)));
    await queue.run('b', (waited) => Promise.resolve(done.push(`other ${waited}`)));
    assert.deepEqual(done, ['other false']);
    fail(new Error('no'));
    await assert.rejects(first, /no/);
    await second;
    assert.deepEqual(done, ['other false', 'second true']);
    await queue.run('a', (waited) => Promise.resolve(done.push(`later ${waited}`)));
    assert.equal(done.at(-1), 'later false');
  });
});
