import assert from 'node:assert/strict';
import { nodeConfigJson, resolveConfig } from '../../../../service/engine/graph/resolve-config.ts';
import { saveConfig } from '../../../../service/store/configs.ts';
import type { Database } from '../../../../service/store/database.ts';
import { threadMs } from '../../../../service/work/thread-time.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { someTime, storedTenant } from '../../../support/sample-records.ts';
import { assertTurn } from '../../../support/turn-watch.ts';

describe('the config of a run', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenantId: string;
    beforeEach(async () => {
      db = await open();
      tenantId = (await storedTenant(db.knex)).id;
    });

    const store = (id: string, config: Record<string, string>) =>
      saveConfig(db.knex, { tenantId, id, config, createdAt: someTime, updatedAt: someTime });
    const resolve = (configProfiles: Record<string, Record<string, string>>, id?: string) =>
      resolveConfig(db, tenantId, { configProfiles }, id);

    it('is the requested profile of the flow, or else of the tenant', async () => {
      await store('prod', { of: 'tenant' });
      assert.deepEqual(await resolve({ prod: { of: 'flow' } }, 'prod'), { of: 'flow' });
      assert.deepEqual(await resolve({}, 'prod'), { of: 'tenant' });
      assert.equal(await resolve({ default: {} }, 'missing'), undefined);
      assert.equal(await resolve({}, 'toString'), undefined);
    });

    it('defaults to the default profile of the tenant, then of the flow, then to an empty profile', async () => {
      for (const none of [undefined, '']) {
        assert.deepEqual(await resolve({}, none), {});
        assert.deepEqual(await resolve({ default: { of: 'flow' } }, none), { of: 'flow' });
      }
      await store('default', { of: 'tenant' });
      assert.deepEqual(await resolve({ default: { of: 'flow' } }), { of: 'tenant' });
    });
  });

  it('overrides the config of a placement key by key', () => {
    const placed = { config: { model: 'small', limit: 3 } };
    assert.equal(
      nodeConfigJson(placed, { model: 'large', other: null }),
      '{"model":"large","limit":3,"other":null}',
    );
  });

  it('is serialized once for all placements without config of their own', () => {
    const profile = Object.fromEntries(Array.from({ length: 12_000 }, (_, n) => [`key${n}`, { a: n }]));
    const startedMs = threadMs();
    for (let call = 0; call < 400; call += 1) {
      assert.equal(nodeConfigJson({ config: {} }, profile).length, 253_781);
    }
    // It took 9 ms for each.
    assertTurn(threadMs() - startedMs, 100);
    assert.equal(nodeConfigJson({ config: {} }, profile), JSON.stringify(profile));
    assert.equal(nodeConfigJson({ config: {} }, { own: 1 }), '{"own":1}');
  });
});
