import assert from 'node:assert/strict';
import { answers } from './checks/answers.ts';
import { failures } from './checks/failures.ts';
import type { Harm, SeenAnswer } from './history.ts';
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

  it('reports a 500 even during a harm', () => {
    const all = (['kill', 'freeze', 'container', 'database'] as const).map((kind) => harm(kind, 'replica-0'));
    assert.equal(seen({ status: 500 }, all).length, 1);
  });

  it('accepts a missing response only while its own replica is killed or frozen', () => {
    assert.deepEqual(seen({}, [harm('kill', 'replica-0')]), []);
    assert.deepEqual(seen({}, [harm('freeze', 'replica-0')]), []);
    assert.equal(seen({}, [harm('kill', 'replica-1')]).length, 1);
    assert.equal(seen({}, [harm('database')]).length, 1);
    assert.equal(seen({ from: 9_000, to: 9_100 }, [harm('kill', 'replica-0')]).length, 1);
  });

  it('accepts a 503 only while the database is away, or after its replica was frozen', () => {
    assert.deepEqual(seen({ status: 503 }, [harm('database')]), []);
    assert.deepEqual(seen({ status: 503 }, [harm('freeze', 'replica-0')]), []);
    assert.equal(seen({ status: 503 }, [harm('freeze', 'replica-1')]).length, 1);
    assert.equal(seen({ status: 503 }, [harm('container')]).length, 1);
  });

  it('accepts a 502 only while a container is away', () => {
    assert.deepEqual(seen({ status: 502 }, [harm('container')]), []);
    assert.equal(seen({ status: 502 }, [harm('database')]).length, 1);
    assert.equal(seen({ status: 502 }).length, 1);
  });

  it('reports exceptions of operations', () => {
    assert.deepEqual(textsOf(failures, { failures: [{ operation: 'lists', text: 'no frames' }] }), [
      'the operation failed: no frames',
    ]);
  });
});
