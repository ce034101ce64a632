import assert from 'node:assert/strict';
import { requireFullKey, requireScope } from '../../../service/access/scopes.ts';
import { ApiError } from '../../../service/errors/api-error.ts';
import { sampleKey, sampleTenant } from '../../support/sample-records.ts';

describe('scopes', () => {
  const tenant = sampleTenant();

  it('let a key do what it has the scope for, and name the scope that it lacks', () => {
    const principal = { tenant, key: sampleKey(tenant.id, { scopes: ['read', 'invoke'] }) };
    requireScope(principal, 'read');
    assert.throws(
      () => requireScope(principal, 'write'),
      new ApiError(403, { error: "forbidden: token lacks 'write' scope" }),
    );
  });

  it('keep app keys from what is for full keys', () => {
    requireFullKey({ tenant, key: sampleKey(tenant.id) });
    assert.throws(
      () => requireFullKey({ tenant, key: sampleKey(tenant.id, { kind: 'app' }) }),
      (error) => error instanceof ApiError && error.status === 403,
    );
  });
});
