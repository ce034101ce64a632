import assert from 'node:assert/strict';
import { answers } from './checks/answers.ts';
import { failures } from './checks/failures.ts';
import type { Harm, SeenAnswer } from './history.ts';
import { harm, textsOf } from './sound-soak.ts';

describe('the answers of a soak', () => {
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

  it('may be those that their requests expect', () => {
    assert.deepEqual(seen({ status: 200 }), []);
  });

  it('are listed with what is needed to look at them', () => {
    assert.deepEqual(seen({ status: 500, text: 'Unexpected error.' }), [
      '500 to GET /list at replica-0, from 00:00:01.500 to 00:00:01.600: Unexpected error.',
    ]);
  });

  it('are never 500, whatever is harmed', () => {
    const all = (['kill', 'freeze', 'container', 'database'] as const).map((kind) => harm(kind, 'replica-0'));
    assert.equal(seen({ status: 500 }, all).length, 1);
  });

  it('are missing only while their own replica is killed or frozen', () => {
    assert.deepEqual(seen({}, [harm('kill', 'replica-0')]), []);
    assert.deepEqual(seen({}, [harm('freeze', 'replica-0')]), []);
    assert.equal(seen({}, [harm('kill', 'replica-1')]).length, 1);
    assert.equal(seen({}, [harm('database')]).length, 1);
    assert.equal(seen({ from: 9_000, to: 9_100 }, [harm('kill', 'replica-0')]).length, 1);
  });

  it('are 503 only while the database is away, or after their replica was frozen', () => {
    assert.deepEqual(seen({ status: 503 }, [harm('database')]), []);
    assert.deepEqual(seen({ status: 503 }, [harm('freeze', 'replica-0')]), []);
    assert.equal(seen({ status: 503 }, [harm('freeze', 'replica-1')]).length, 1);
    assert.equal(seen({ status: 503 }, [harm('container')]).length, 1);
  });

  it('are 502 only while a container is away, or after their replica was frozen', () => {
    assert.deepEqual(seen({ status: 502 }, [harm('container')]), []);
    assert.equal(seen({ status: 502 }, [harm('database')]).length, 1);
    assert.equal(seen({ status: 502 }).length, 1);
  });

  it('include the exceptions of operations', () => {
    assert.deepEqual(textsOf(failures, { failures: [{ operation: 'lists', text: 'no frames' }] }), [
      'the operation failed: no frames',
    ]);
  });
});
