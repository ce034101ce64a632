import assert from 'node:assert/strict';
import { answers } from './checks/answers.ts';
import { failures } from './checks/failures.ts';
import { type Harm, harmKinds, type SeenAnswer } from './history.ts';
import { harm, textsOf } from './sound-soak.ts';

describe('the soak check of responses', () => {
  const seen = (changes: Partial<SeenAnswer>, harms: Harm[] = []): string[] => {
    const answer = {
      operation: 'lists',
      request: 'GET /list',
      replica: 'replica-0',
      from: 1_500,
      to: 1_600,
      expected: [200],
      ...changes,
    };
    return textsOf(answers, { answers: [answer], harms });
  };

  it('accepts a response that its request expects', () => {
    assert.deepEqual(seen({ status: 200 }), []);
  });

  it('reports an unexpected response with its request, replica and time', () => {
    assert.deepEqual(seen({ status: 500, text: 'Unexpected error.' }), [
      '500 to GET /list at replica-0, from 00:00:01.500 to 00:00:01.600: Unexpected error.',
    ]);
  });

  it('reports a 500 during any harm', () => {
    const all = harmKinds.map((kind) => harm(kind, 'replica-0'));
    assert.equal(seen({ status: 500 }, all).length, 1);
  });

  it('accepts a missing response only while its own replica is killed or stopped', () => {
    for (const kind of ['kill', 'restart'] as const) {
      assert.deepEqual(seen({}, [harm(kind, 'replica-0')]), []);
      assert.equal(seen({}, [harm(kind, 'replica-1')]).length, 1);
    }
    for (const kind of ['database', 'stall'] as const) assert.equal(seen({}, [harm(kind)]).length, 1);
    for (const kind of ['cut', 'freeze'] as const)
      assert.equal(seen({}, [harm(kind, 'replica-0')]).length, 1);
    assert.equal(seen({ from: 9_000, to: 9_100 }, [harm('kill', 'replica-0')]).length, 1);
  });

  it('accepts a 503 only while its replica cannot reach the database, or after it was stopped or frozen', () => {
    for (const kind of ['database', 'stall'] as const)
      assert.deepEqual(seen({ status: 503 }, [harm(kind)]), []);
    for (const kind of ['cut', 'hold', 'restart', 'freeze'] as const) {
      assert.deepEqual(seen({ status: 503 }, [harm(kind, 'replica-0')]), []);
      assert.equal(seen({ status: 503 }, [harm(kind, 'replica-1')]).length, 1);
    }
    assert.equal(seen({ status: 503 }, [harm('container')]).length, 1);
    assert.equal(seen({ status: 503 }, [harm('slow', 'replica-0')]).length, 1);
  });

  it('accepts a 502 only while a container is away, or after its replica was stopped, frozen or cut off for long', () => {
    assert.deepEqual(seen({ status: 502 }, [harm('container')]), []);
    assert.deepEqual(seen({ status: 502 }, [harm('restart', 'replica-0')]), []);
    assert.equal(seen({ status: 502 }, [harm('cut', 'replica-0')]).length, 1);
    assert.deepEqual(seen({ status: 502 }, [{ ...harm('cut', 'replica-0'), to: 14_000 }]), []);
    assert.equal(seen({ status: 502 }, [harm('database')]).length, 1);
    assert.equal(seen({ status: 502 }).length, 1);
  });

  it('reports exceptions of operations', () => {
    assert.deepEqual(textsOf(failures, { failures: [{ operation: 'lists', text: 'no frames' }] }), [
      'the operation failed: no frames',
    ]);
  });
});
