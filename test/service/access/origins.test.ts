import assert from 'node:assert/strict';
import {
  createOriginUnion,
  isOrigin,
  type OriginUnion,
  takesOrigin,
} from '../../../service/access/origins.ts';
import { changeAppKey, insertApiKey, revokeApiKey } from '../../../service/store/api-keys.ts';
import type { Database } from '../../../service/store/database.ts';
import { eachDatabase } from '../../support/databases.ts';
import { type ManualClock, manualClock } from '../../support/manual-clock.ts';
import { sampleKey } from '../../support/sample-records.ts';

describe('origins', () => {
  const origins = [
    'https://example.com',
    'http://localhost:5173',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'https://xn--bcher-kva.example',
    'capacitor://localhost',
    'chrome-extension://abcdefghijklmnop',
  ];
  for (const origin of origins) it(`include ${origin}`, () => assert.ok(isOrigin(origin)));

  const others = [
    '',
    'null',
    '*',
    'https://*.example.com',
    'example.com',
    'https://example.com/',
    'https://example.com/a',
    'https://Example.com',
    'https://example.com:443',
    'http://example.com:80',
    'https://example.com:99999',
    'https://user@example.com',
    'https://bücher.example',
    'https://example.com\n',
    ' https://example.com',
  ];
  for (const other of others) it(`exclude ${JSON.stringify(other)}`, () => assert.ok(!isOrigin(other)));

  it('are compared exactly, and an empty allowlist accepts all', () => {
    const allowedOrigins = ['https://a.example'];
    assert.ok(takesOrigin({ allowedOrigins }, 'https://a.example'));
    assert.ok(!takesOrigin({ allowedOrigins }, 'http://a.example'));
    assert.ok(!takesOrigin({ allowedOrigins }, 'https://a.example:8443'));
    assert.ok(takesOrigin({ allowedOrigins: [] }, 'https://b.example'));
  });
});

eachDatabase((open) => {
  describe('the union of origins', () => {
    let db: Database;
    let clock: ManualClock;
    let union: OriginUnion;
    beforeEach(async () => {
      db = await open();
      clock = manualClock();
      union = createOriginUnion(db, clock);
    });

    const origin = 'https://a.example';
    const insert = async (fields: Parameters<typeof sampleKey>[1]) => {
      const key = sampleKey('acme', { kind: 'app', allowedOrigins: [origin], ...fields });
      await insertApiKey(db.knex, key);
      return key;
    };

    it('includes a new origin immediately, and excludes it after the revocation of its key', async () => {
      assert.equal(await union.includes(origin), false);
      const key = await insert({});
      assert.equal(await union.includes(origin), true);
      await revokeApiKey(db.knex, key.tenantId, key.id, clock.now());
      assert.equal(await union.includes(origin), false);
    });

    it('reflects changes of the allowlists', async () => {
      const key = await insert({});
      await changeAppKey(db.knex, key.tenantId, key.id, { allowedOrigins: ['https://b.example'] });
      assert.equal(await union.includes(origin), false);
      assert.equal(await union.includes('https://b.example'), true);
      await changeAppKey(db.knex, key.tenantId, key.id, { allowedOrigins: [] });
      assert.equal(await union.includes(origin), true);
      assert.equal(await union.includes('no origin'), false);
    });

    it('excludes the origins of expired, revoked and full keys', async () => {
      await insert({ expiresAt: clock.now() });
      await insert({ revokedAt: clock.now() });
      await insert({ kind: 'full', allowedOrigins: [] });
      assert.equal(await union.includes(origin), false);
      await insert({ expiresAt: clock.now() + 1 });
      assert.equal(await union.includes(origin), true);
    });
  });
});
