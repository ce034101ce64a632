import assert from 'node:assert/strict';
import { requireFullKey, requireScope } from '../../../service/access/scopes.ts';
import { ApiError } from '../../../service/errors/api-error.ts';
import { sampleKey, sampleTenant } from '../../support/sample-records.ts';

describe('scopes', () => {
  const tenant = sampleTenant();

  it('allow operations in the scopes of the key, and report a missing scope', () => {
    const principal = { tenant, key: sampleKey(tenant.id, { scopes: ['read', 'invoke'] }) };
    requireScope(principal, 'read');
    assert.throws(
      () => requireScope(principal, 'write'),
      new ApiError(403, 'missing_scope', { error: "forbidden: token lacks 'write' scope" }),
    );
  });

  it('exclude app keys from operations for full keys', () => {
    requireFullKey({ tenant, key: sampleKey(tenant.id) });
    assert.throws(
      () => requireFullKey({ tenant, key: sampleKey(tenant.id, { kind: 'app' }) }),
      (error) => error instanceof ApiError && error.status === 403,
    );
  });
});
