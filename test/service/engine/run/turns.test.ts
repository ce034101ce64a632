import assert from 'node:assert/strict';
import { Turns } from '../../../../service/engine/run/turns.ts';

describe('work that takes turns', () => {
  it('runs one task at a time per key, even after a failure, and tasks of other keys at once', async () => {
    const turns = new Turns();
    const done: string[] = [];
    let fail: (error: Error) => void = () => undefined;
    const first = turns.take('a', async (waited) => {
      await new Promise((_resolve, reject) => (fail = reject));
      done.push(`first ${waited}`);
    });
    const second = turns.take('a', (waited) => Promise.resolve(done.push(`second ${waited}`)));
    await turns.take('b', (waited) => Promise.resolve(done.push(`other ${waited}`)));
    assert.deepEqual(done, ['other false']);
    fail(new Error('no'));
    await assert.rejects(first, /no/);
    await second;
    assert.deepEqual(done, ['other false', 'second true']);
    await turns.take('a', (waited) => Promise.resolve(done.push(`later ${waited}`)));
    assert.equal(done.at(-1), 'later false');
  });
});
