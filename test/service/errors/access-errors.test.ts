import assert from 'node:assert/strict';
import {
  lacksScope,
  missingTenantContext,
  rateLimitExceeded,
  tenantSuspended,
  unauthorized,
} from '../../../service/errors/access-errors.ts';
import { unauthorizedText, suspendedText } from '../../../specs/operations/access-texts.ts';

describe('access errors', () => {
  it('have the documented statuses and bodies', () => {
    const said = [
      unauthorized(),
      missingTenantContext(),
      tenantSuspended(),
      lacksScope('write'),
      rateLimitExceeded({ counts: 'requests', rps: 5, burst: 10 }),
      rateLimitExceeded({ counts: 'logins', rps: 1 / 6, burst: 10 }),
      rateLimitExceeded({ counts: 'requests', rps: 0, burst: 1 }),
    ].map(({ status, body, headers }) => [status, body, headers]);
    assert.deepEqual(said, [
      [401, { error: 'unauthorized', message: unauthorizedText }, {}],
      [401, { error: 'missing tenant context' }, {}],
      [403, { error: 'tenant_suspended', message: suspendedText }, {}],
      [403, { error: "forbidden: token lacks 'write' scope" }, {}],
      ...[
        'requests are limited to 5 a second, in bursts of at most 10',
        'logins are limited to 10 a minute, in bursts of at most 10',
        'requests are limited to 0 a second, in bursts of at most 1',
      ].map((text) => [
        429,
        { error: 'rate limit exceeded', message: `rate limit exceeded: ${text}` },
        { 'Retry-After': '1' },
      ]),
    ]);
  });
});
