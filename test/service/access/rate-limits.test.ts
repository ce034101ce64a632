import assert from 'node:assert/strict';
import type { Principal } from '../../../service/access/principal.ts';
import { createRateLimits, type RateLimits } from '../../../service/access/rate-limits.ts';
import { createTokenBuckets } from '../../../service/access/token-buckets.ts';
import { ApiError } from '../../../service/errors/api-error.ts';
import type { ApiKey } from '../../../service/store/api-keys.ts';
import type { TenantLimits } from '../../../service/store/tenants.ts';
import { type ManualClock, manualClock } from '../../support/manual-clock.ts';
import { sampleKey, sampleTenant } from '../../support/sample-records.ts';

const management = { invocation: false };
const invocation = { invocation: true };

describe('rate limits', () => {
  let clock: ManualClock;
  let rates: RateLimits;
  beforeEach(() => {
    clock = manualClock();
    rates = createRateLimits(createTokenBuckets(clock));
  });

  function caller(limits: TenantLimits = {}, key: Partial<ApiKey> = {}): Principal {
    const tenant = sampleTenant({ limits });
    return { tenant, key: sampleKey(tenant.id, key) };
  }

  /** Counts consecutive admitted requests, up to 1000. */
  async function admitted(principal: Principal, route: { invocation: boolean }): Promise<number> {
    for (let count = 0; count < 1_000; count += 1) {
      try {
        await rates.admit(principal, route);
      } catch (error) {
        assert.ok(error instanceof ApiError);
        assert.equal(error.status, 429);
        return count;
      }
    }
    return 1_000;
  }

  it('allow a tenant 100 requests per second with a burst of 200 across all routes', async () => {
    const principal = caller();
    assert.equal(await admitted(principal, management), 200);
    clock.advance(1_000);
    assert.equal(await admitted(principal, management), 100);
  });

  it('additionally allow 5 requests per second with a burst of 10 on invocation routes', async () => {
    const principal = caller();
    assert.equal(await admitted(principal, invocation), 10);
    clock.advance(1_000);
    assert.equal(await admitted(principal, invocation), 5);
  });

  it('allow each address 100 requests per second without a key, with a burst of 500', async () => {
    const from = async (address: string): Promise<number> => {
      let count = 0;
      for (; count < 1_000; count += 1) {
        try {
          await rates.admitKeyless(address);
        } catch (error) {
          assert.ok(error instanceof ApiError);
          assert.equal(error.status, 429);
          break;
        }
      }
      return count;
    };
    assert.equal(await from('192.0.2.1'), 500);
    clock.advance(1_000);
    assert.equal(await from('192.0.2.1'), 100);
    assert.equal(await from('2001:db8::1'), 500);
    assert.equal(await admitted(caller(), management), 200);
  });

  it('accept management requests after the invocation rate is exhausted', async () => {
    const principal = caller();
    await admitted(principal, invocation);
    assert.ok((await admitted(principal, management)) > 100);
  });

  it('apply to all keys of a tenant together, and to each tenant separately', async () => {
    const principal = caller();
    await admitted(principal, management);
    const sibling = { tenant: principal.tenant, key: sampleKey(principal.tenant.id) };
    assert.equal(await admitted(sibling, management), 0);
    assert.equal(await admitted(caller(), management), 200);
  });

  it('can be adjusted per tenant', async () => {
    const principal = caller({ rps: 2, burst: 4, invocationRps: 1, invocationBurst: 3 });
    assert.equal(await admitted(principal, invocation), 3);
    // The rejected request took a token from the wide bucket too.
    assert.equal(await admitted(principal, management), 0);
    clock.advance(1_000);
    assert.equal(await admitted(principal, invocation), 1);
  });

  it('apply the rate of an app key', async () => {
    const wide = { rps: 1_000, burst: 1_000, invocationRps: 1_000, invocationBurst: 1_000 };
    const principal = caller(wide, { kind: 'app', rateRps: 2, rateBurst: 3 });
    assert.equal(await admitted(principal, invocation), 3);
    clock.advance(1_000);
    assert.equal(await admitted(principal, invocation), 2);
    const sibling = { tenant: principal.tenant, key: sampleKey(principal.tenant.id, { kind: 'app' }) };
    assert.equal(await admitted(sibling, invocation), 10);
  });

  it('ignore the rate in the record of a full key', async () => {
    assert.equal(await admitted(caller({}, { rateRps: 1, rateBurst: 1 }), management), 200);
  });
});
