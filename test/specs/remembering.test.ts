import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { remembering } from '../../specs/remembering.ts';

describe('what is remembered', () => {
  it('is made once for each subject', () => {
    const asked: object[] = [];
    const countOf = remembering((subject: { count: number }) => {
      asked.push(subject);
      return { count: subject.count };
    });
    const [one, other] = [{ count: 1 }, { count: 1 }];
    assert.equal(countOf(one), countOf(one));
    assert.notEqual(countOf(one), countOf(other));
    assert.deepEqual(asked, [one, other]);
  });

  it('is made with the tools of the first who asks', () => {
    const read = remembering<object, string, [(text: string) => string]>((_subject, tool) => tool('made'));
    const subject = {};
    assert.equal(
      read(subject, (text) => `${text} first`),
      'made first',
    );
    assert.equal(
      read(subject, () => assert.fail('it is made already')),
      'made first',
    );
  });

  it('is not what failed', () => {
    let fails = true;
    const read = remembering<object, string, []>(() => {
      if (fails) throw new Error('not yet');
      return 'made';
    });
    const subject = {};
    assert.throws(() => read(subject), /not yet/);
    fails = false;
    assert.equal(read(subject), 'made');
  });

  it('is forgotten with its subject', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const read = remembering<object, object, []>(() => ({}));
    const kept = {};
    const refs = [{}, kept].map((subject) => new WeakRef(read(subject)));
    // What was made in a turn lives until its end.
    await setImmediate();
    collect();
    assert.deepEqual(
      refs.map((ref) => ref.deref() !== undefined),
      [false, true],
    );
    assert.equal(read(kept), refs[1]?.deref());
  });
});
