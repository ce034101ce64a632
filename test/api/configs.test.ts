import assert from 'node:assert/strict';
import { saveConfig } from '../../service/store/configs.ts';
import { limits } from '../../specs/limits.ts';
import { itSlow } from '../support/fast-run.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';

describe('config profiles over HTTP', () => {
  let service: RunningService;
  let acme: Caller;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
  });
  after(() => service.stop());

  it('stores, replaces and returns a profile', async () => {
    const first = await acme.put('/api/v1/configs/prod', {
      model: 'large',
      nested: { limit: 1.5, none: null },
    });
    assert.equal(first.status, 200);
    const { created_at: createdAt, updated_at: updatedAt, ...rest } = first.body;
    assert.deepEqual(rest, {
      config_id: 'prod',
      config: { model: 'large', nested: { limit: 1.5, none: null } },
    });
    assert.equal(createdAt, updatedAt);
    const second = await acme.put('/api/v1/configs/prod', { other: true });
    assert.deepEqual(second.body.config, { other: true });
    assert.equal(second.body.created_at, createdAt);
    assert.deepEqual((await acme.get('/api/v1/configs/prod')).body, second.body);
  });

  it("lists only the tenant's own profiles, sorted by id", async () => {
    const lister = await service.tenant('lister');
    assert.deepEqual((await lister.get('/api/v1/configs')).body, []);
    for (const id of ['b', 'C', 'a']) await lister.put(`/api/v1/configs/${id}`, { of: id });
    const { status, body } = await lister.get('/api/v1/configs');
    assert.equal(status, 200);
    assert.deepEqual(
      body.map((one: { config_id: string; config: object }) => [one.config_id, one.config]),
      [
        ['C', { of: 'C' }],
        ['a', { of: 'a' }],
        ['b', { of: 'b' }],
      ],
    );
    assert.deepEqual(body[1], (await lister.get('/api/v1/configs/a')).body);
  });

  it('deletes a profile, even one that does not exist', async () => {
    await acme.put('/api/v1/configs/gone', {});
    assert.equal((await acme.delete('/api/v1/configs/gone')).status, 204);
    assert.equal((await acme.delete('/api/v1/configs/gone')).status, 204);
    const { status, body } = await acme.get('/api/v1/configs/gone');
    assert.deepEqual([status, body], [404, { error: 'config not found' }]);
  });

  it('isolates the profiles of tenants', async () => {
    const other = await service.tenant('other');
    await acme.put('/api/v1/configs/mine', { of: 'acme' });
    assert.equal((await other.get('/api/v1/configs/mine')).status, 404);
    await other.put('/api/v1/configs/mine', { of: 'other' });
    await other.delete('/api/v1/configs/mine');
    assert.deepEqual((await acme.get('/api/v1/configs/mine')).body.config, { of: 'acme' });
  });

  it('accepts only JSON objects with valid ids', async () => {
    for (const body of ['[]', '"text"', '1', 'null']) {
      const refused = await acme.put('/api/v1/configs/a', body);
      const error = 'invalid request body: the body must be a JSON object';
      assert.deepEqual([refused.status, refused.body], [400, { error }]);
    }
    const { status, body } = await acme.put('/api/v1/configs/a%20b', {});
    assert.equal(status, 400);
    assert.match(body.error, /config_id: must be 1 to 64 letters, digits, "_" and "-"/);
    assert.equal((await acme.put(`/api/v1/configs/${'x'.repeat(64)}`, {})).status, 200);
    assert.equal((await acme.put(`/api/v1/configs/${'x'.repeat(65)}`, {})).status, 400);
  });

  it('accepts values of 100 levels, and refuses deeper ones', async () => {
    const nested = (depth: number) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    assert.equal((await acme.put('/api/v1/configs/deep', nested(100))).status, 200);
    for (const [depth, problem] of [
      [101, 'x: nests deeper than 100 levels'],
      [100_000, 'the JSON nests deeper than 320 levels'],
    ] as const) {
      const { status, body } = await acme.put('/api/v1/configs/deep', nested(depth));
      assert.deepEqual([status, body], [400, { error: `invalid request body: ${problem}` }]);
    }
  });

  it('requires write scope for changes', async () => {
    const reader = await service.tenant('reader', { scopes: ['read'] });
    assert.equal((await reader.put('/api/v1/configs/a', {})).status, 403);
    assert.equal((await reader.delete('/api/v1/configs/a')).status, 403);
    assert.equal((await reader.get('/api/v1/configs/a')).status, 404);
  });

  it('accepts up to 4 MiB of profiles per tenant', async () => {
    const full = await service.tenant('full');
    const profile = (bytes: number): object => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
    for (const id of ['a', 'b', 'c', 'd']) {
      const { status } = await full.put(
        `/api/v1/configs/${id}`,
        profile(limits.configBytesPerTenant / 4 - (id === 'd' ? 2 : 0)),
      );
      assert.equal(status, 200);
    }
    const { status, body } = await full.put('/api/v1/configs/e', { more: 1 });
    assert.equal(status, 409);
    assert.deepEqual(body, {
      error:
        'a tenant may have 1000 config profiles, with 4194304 bytes of JSON together: delete or shorten some',
    });
    assert.equal((await full.put('/api/v1/configs/e', {})).status, 200);
    // A replaced profile does not count towards the limit.
    assert.equal((await full.put('/api/v1/configs/a', { more: 1 })).status, 200);
  });

  it('accepts up to 1,000 profiles per tenant', async () => {
    const many = await service.tenant('many');
    const put = async (n: number): Promise<number> => (await many.put(`/api/v1/configs/p${n}`, {})).status;
    const stored = { tenantId: many.tenant.id, config: {}, createdAt: 0, updatedAt: 0 };
    for (let n = 1; n < limits.configsPerTenant; n += 1) {
      await saveConfig(service.db.knex, { ...stored, id: `p${n}` });
    }
    assert.equal(await put(0), 200);
    assert.equal(await put(limits.configsPerTenant), 409);
    assert.equal(await put(0), 200);
  });

  itSlow('serves as many concurrent list requests as the default rate allows', async () => {
    const eager = await service.tenant('eager');
    for (const id of ['a', 'b', 'c']) await eager.put(`/api/v1/configs/${id}`, { text: 'x'.repeat(100_000) });
    const lists = Array.from({ length: limits.tenantRate.burst }, () => eager.get('/api/v1/configs'));
    const statuses = new Set((await Promise.all(lists)).map(({ status }) => status));
    assert.deepEqual([...statuses], [200]);
  });
});
