import assert from 'node:assert/strict';
import type { Principal } from '../../../service/access/principal.ts';
import { createRateLimits, type RateLimits } from '../../../service/access/rate-limits.ts';
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
    rates = createRateLimits(clock);
  });

  function caller(limits: TenantLimits = {}, key: Partial<ApiKey> = {}): Principal {
    const tenant = sampleTenant({ limits });
    return { tenant, key: sampleKey(tenant.id, key) };
  }

  /** How many requests in a row are admitted, of at most 1000. */
  function admitted(principal: Principal, route: { invocation: boolean }): number {
    for (let count = 0; count < 1_000; count += 1) {
      try {
        rates.admit(principal, route);
      } catch (error) {
        assert.ok(error instanceof ApiError);
        assert.equal(error.status, 429);
        return count;
      }
    }
    return 1_000;
  }

  it('are 100 a second and 200 at once over all routes of a tenant', () => {
    const principal = caller();
    assert.equal(admitted(principal, management), 200);
    clock.advance(1_000);
    assert.equal(admitted(principal, management), 100);
  });

  it('are 5 a second and 10 at once, in addition, on invocation routes', () => {
    const principal = caller();
    assert.equal(admitted(principal, invocation), 10);
    clock.advance(1_000);
    assert.equal(admitted(principal, invocation), 5);
  });

  it('are 100 a second and 500 at once without a key, from each address', () => {
    const from = (address: string): number => {
      let count = 0;
      for (; count < 1_000; count += 1) {
        try {
          rates.admitKeyless(address);
        } catch (error) {
          assert.ok(error instanceof ApiError);
          assert.equal(error.status, 429);
          break;
        }
      }
      return count;
    };
    assert.equal(from('192.0.2.1'), 500);
    clock.advance(1_000);
    assert.equal(from('192.0.2.1'), 100);
    assert.equal(from('2001:db8::1'), 500);
    assert.equal(admitted(caller(), management), 200);
  });

  it('leave other routes open when invocations are used up', () => {
    const principal = caller();
    admitted(principal, invocation);
    assert.ok(admitted(principal, management) > 100);
  });

  it('count all keys of a tenant together, and tenants apart', () => {
    const principal = caller();
    admitted(principal, management);
    const sibling = { tenant: principal.tenant, key: sampleKey(principal.tenant.id) };
    assert.equal(admitted(sibling, management), 0);
    assert.equal(admitted(caller(), management), 200);
  });

  it('are what the operator set for the tenant', () => {
    const principal = caller({ rps: 2, burst: 4, invocationRps: 1, invocationBurst: 3 });
    assert.equal(admitted(principal, invocation), 3);
    // The refused request took a token of the wide bucket too.
    assert.equal(admitted(principal, management), 0);
    clock.advance(1_000);
    assert.equal(admitted(principal, invocation), 1);
  });

  it('hold an app key to its own rate, whatever the tenant may', () => {
    const wide = { rps: 1_000, burst: 1_000, invocationRps: 1_000, invocationBurst: 1_000 };
    const principal = caller(wide, { kind: 'app', rateRps: 2, rateBurst: 3 });
    assert.equal(admitted(principal, invocation), 3);
    clock.advance(1_000);
    assert.equal(admitted(principal, invocation), 2);
    const sibling = { tenant: principal.tenant, key: sampleKey(principal.tenant.id, { kind: 'app' }) };
    assert.equal(admitted(sibling, invocation), 10);
  });

  it('do not hold a full key to the rate in its record', () => {
    assert.equal(admitted(caller({}, { rateRps: 1, rateBurst: 1 }), management), 200);
  });
});
