import assert from 'node:assert/strict';
import { loadSecretKey } from '../../service/access/secrets/secret-key.ts';
import { createSecretStore } from '../../service/access/secrets/secret-store.ts';
import { systemClock } from '../../service/clock.ts';
import { armSecret } from '../../service/store/secrets.ts';
import { clockErrorMs } from '../support/clock-error.ts';
import { compileFlow } from '../support/flow-service.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { publishSteps, twoSteps } from '../support/step-package.ts';

eachService('the list of secrets', (start) => {
  let service: RunningService;
  let acme: Caller;
  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    const key = await loadSecretKey(service.config);
    const store = createSecretStore({ tx: service.db.knex, clock: systemClock, key });
    for (const name of ['B_TOKEN', 'A_TOKEN']) await store.set(acme.tenant.id, name, `value of ${name}`);
    await store.set((await service.tenant('other')).tenant.id, 'THEIRS', 'value');
  });
  after(() => service.stop());

  const path = '/api/v1/secrets';

  it("contains the names and states of the tenant's own secrets, but no values", async () => {
    const { status, body } = await acme.get(path);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ name, armed, armed_expires_at }: Record<string, unknown>) => [
        name,
        armed,
        armed_expires_at,
      ]),
      [
        ['A_TOKEN', false, null],
        ['B_TOKEN', false, null],
      ],
    );
    assert.ok(!JSON.stringify(body).includes('value of'));
    assert.ok(Math.abs(Date.now() - Date.parse(body[0].created_at as string)) < 60_000);
  });

  it('shows a secret as armed until the arming expires', async () => {
    const until = Date.now() + 60_000;
    await armSecret(service.db.knex, acme.tenant.id, 'A_TOKEN', until);
    const expired = Date.now() - 1 - clockErrorMs(service.db);
    await armSecret(service.db.knex, acme.tenant.id, 'B_TOKEN', expired);
    const { body } = await acme.get(path);
    assert.deepEqual([body[0].armed, body[0].armed_expires_at], [true, new Date(until).toISOString()]);
    assert.deepEqual([body[1].armed, body[1].armed_expires_at], [false, null]);
  });

  it('requires a full key with read scope', async () => {
    const invoker = await service.tenant('invoker', { scopes: ['invoke', 'write'] });
    assert.equal((await invoker.get(path)).status, 403);
    await publishSteps(acme);
    const graph = await compileFlow(acme, twoSteps());
    const { body } = await acme.post('/api/v1/api-keys', { name: 'shop', graph_ids: [graph] });
    assert.equal((await service.withKey(acme.tenant, body.key as string).get(path)).status, 403);
  });
});
