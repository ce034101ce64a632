import assert from 'node:assert/strict';
import { createInvocationQuota, dailyCaps } from '../../../service/access/daily-quota.ts';
import { ApiError } from '../../../service/errors/api-error.ts';
import { createInvocationDraws } from '../../../service/store/commit/invocation-draws.ts';
import type { Tenant } from '../../../service/store/tenants.ts';
import { eachDatabase } from '../../support/databases.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { sampleTenant, storedTenant } from '../../support/sample-records.ts';

const refusal = async (answer: Promise<void>): Promise<ApiError> => {
  try {
    await answer;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return assert.fail('it was admitted');
};

describe('daily caps', () => {
  it('are 2,000 invocations and 500 executions by default', () => {
    assert.deepEqual(dailyCaps(sampleTenant()), { invocations: 2_000, executions: 500 });
    const limits = { dailyInvocations: 1, dailyExecutions: 0 };
    assert.deepEqual(dailyCaps(sampleTenant({ limits })), { invocations: 1, executions: 0 });
  });
});

eachDatabase((open) => {
  describe('the invocation quota', () => {
    const lastSecond = Date.parse('2026-03-01T23:59:58.500Z');

    it('rejects until midnight UTC, and reports the remaining time', async () => {
      const db = await open();
      const tenant = await storedTenant(db.knex, { limits: { dailyInvocations: 1 } });
      const draws = createInvocationDraws(db);
      const clock = manualClock(lastSecond);
      const admit = createInvocationQuota(draws, clock, (error) => assert.ifError(error));
      await admit(tenant);
      const { status, headers, body } = await refusal(admit(tenant));
      assert.deepEqual(
        [status, headers, body],
        [
          429,
          { 'Retry-After': '2' },
          {
            error: 'quota_exceeded',
            message: 'daily invocations quota exceeded (cap 1)',
            retry_after_seconds: 2,
          },
        ],
      );
      clock.advance(1_499);
      assert.equal((await refusal(admit(tenant))).status, 429);
      clock.advance(1);
      await admit(tenant);
      await draws.close();
    });

    it('rejects when the quota service is unavailable', async () => {
      const db = await open();
      const tenant: Tenant = await storedTenant(db.knex);
      const draws = createInvocationDraws(db);
      await draws.close();
      const told: unknown[] = [];
      const admit = createInvocationQuota(draws, manualClock(), (error) => told.push(error));
      const { status, headers, body } = await refusal(admit(tenant));
      assert.deepEqual(
        [status, headers, body],
        [
          503,
          { 'Retry-After': '5' },
          {
            error: 'quota_unavailable',
            message: 'the quota service is unavailable',
            retry_after_seconds: 5,
          },
        ],
      );
      assert.equal(told.length, 1);
    });
  });
});
