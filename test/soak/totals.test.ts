import assert from 'node:assert/strict';
import { memoryGrowth } from './checks/memory-growth.ts';
import { nothingLeft } from './checks/nothing-left.ts';
import { quotas } from './checks/quotas.ts';
import type { StoredUsage } from './evidence/evidence.ts';
import type { AcceptedRun } from './history.ts';
import { acme, textsOf } from './sound-soak.ts';

describe('the soak checks of totals', () => {
  it('require the usage that tenants were charged', () => {
    const usage: StoredUsage = {
      handle: 'acme',
      invocations: 12,
      executions: 5,
      decisions: 2,
      runs: 5,
      dailyInvocations: 100,
    };
    const drawn = (changes: Partial<StoredUsage>): string[] =>
      textsOf(
        quotas,
        { charges: new Map([['acme', { sure: 10, possible: 1 }]]) },
        { usage: [{ ...usage, ...changes }] },
      );
    assert.deepEqual(drawn({}), []);
    assert.deepEqual(drawn({ invocations: 13 }), []);
    assert.deepEqual(drawn({ invocations: 14 }), [
      'acme has drawn 14 invocations, not 12 and at most 1 more',
    ]);
    assert.equal(drawn({ invocations: 11 }).length, 1);
    assert.equal(drawn({ runs: 4 }).length, 1);
    assert.equal(drawn({ dailyInvocations: 11 }).length, 1);
  });

  it('accept a charge for a decision that lost just before its pause expired or escalated', () => {
    const usage = {
      handle: 'acme',
      invocations: 1,
      executions: 0,
      decisions: 0,
      runs: 0,
      dailyInvocations: 9,
    };
    const run: AcceptedRun = {
      executionId: 'X',
      tenant: acme,
      operation: 'paused run',
      mayEnd: new Set(),
    };
    const drawn = (sentAt: number, times: { escalatesAt?: number } = {}): string[] => {
      const decision = {
        executionId: 'X',
        pauseId: 'P',
        value: 'first',
        sentAt,
        expiresAt: 20_000,
        status: 409,
        ...times,
      };
      return textsOf(quotas, { decisions: [decision], runs: new Map([['X', run]]) }, { usage: [usage] });
    };
    assert.deepEqual(drawn(19_990), []);
    assert.deepEqual(drawn(1_000, { escalatesAt: 3_000 }), []);
    assert.equal(drawn(9_000, { escalatesAt: 3_000 }).length, 1, 'it had escalated');
    assert.equal(drawn(9_000).length, 1, 'the run was not in memory');
    assert.equal(drawn(20_001).length, 1, 'the pause had expired');
  });

  it('report leftovers', () => {
    assert.deepEqual(textsOf(nothingLeft, {}, { leftovers: ['an upload: {}'] }), ['there is an upload: {}']);
  });

  it('report growing memory', () => {
    const grown = (bytesPerSample: number, count = 100): string[] =>
      textsOf(memoryGrowth, {
        memory: Array.from({ length: count }, (_, n) => ({
          replica: 'replica-0',
          at: n * 1_000,
          bytes: 200e6 + n * bytesPerSample,
        })),
      });
    assert.deepEqual(grown(1e6), []);
    assert.deepEqual(grown(2e6), ['replica-0 has grown from 200 to 350 MB']);
    assert.deepEqual(grown(100e6, 8), [], 'too few samples');
  });
});
