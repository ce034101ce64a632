import assert from 'node:assert/strict';
import { shutdowns } from './checks/shutdowns.ts';
import type { Harm, Shutdown } from './history.ts';
import { harm, textsOf } from './sound-soak.ts';

describe('the soak check of shutdowns', () => {
  const stopped = (changes: Partial<Shutdown>, harms: Harm[] = []): string[] => {
    const shutdown = { replica: 'replica-0', from: 1_500, to: 1_600, code: 0, ...changes };
    return textsOf(shutdowns, { shutdowns: [shutdown], harms });
  };

  it('requires exit code 0', () => {
    assert.deepEqual(stopped({}), []);
    assert.deepEqual(stopped({ code: 1 }), ['replica-0 ended with 1']);
    assert.equal(stopped({ code: null }).length, 1, 'killed by a signal');
  });

  it('accepts exit code 1 while the database is away', () => {
    assert.deepEqual(stopped({ code: 1 }, [harm('stall')]), []);
    assert.deepEqual(stopped({ code: 1 }, [harm('cut', 'replica-0')]), []);
    assert.equal(stopped({ code: 1 }, [harm('cut', 'replica-1')]).length, 1);
    assert.equal(stopped({ code: 1 }, [harm('container')]).length, 1);
  });

  it('requires replicas to stop in time', () => {
    assert.deepEqual(stopped({ to: 80_000 }), ['replica-0 took 78500 ms to stop']);
  });
});
