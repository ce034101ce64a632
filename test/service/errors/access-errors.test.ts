import assert from 'node:assert/strict';
import {
  lacksScope,
  missingTenantContext,
  rateLimitExceeded,
  tenantSuspended,
  unauthorized,
} from '../../../service/errors/access-errors.ts';

describe('refusals of a caller', () => {
  it('have the documented statuses and bodies', () => {
    const said = [
      unauthorized(),
      missingTenantContext(),
      tenantSuspended(),
      lacksScope('write'),
      rateLimitExceeded(),
    ].map(({ status, body, headers }) => [status, body, headers]);
    assert.deepEqual(said, [
      [401, { error: 'unauthorized' }, {}],
      [401, { error: 'missing tenant context' }, {}],
      [403, { error: 'tenant_suspended' }, {}],
      [403, { error: "forbidden: token lacks 'write' scope" }, {}],
      [429, { error: 'rate limit exceeded' }, { 'Retry-After': '1' }],
    ]);
  });
});
