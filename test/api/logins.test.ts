import assert from 'node:assert/strict';
import { approveLogin } from '../../service/access/logins.ts';
import { manualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  type Caller,
  eachService,
  request,
  type RunningService,
} from '../support/running-service.ts';

const minuteMs = 60_000;

eachService('logins of the command line', (start) => {
  const clock = manualClock();
  let service: RunningService;
  let acme: Caller;
  before(async () => {
    service = await start({ clock });
    acme = await service.tenant('acme');
  });
  after(() => service.stop());
  // Gives the address the tokens of its logins back.
  beforeEach(() => clock.advance(10 * minuteMs));

  const post = (path: string, body?: object): Promise<Answer> =>
    request(`${service.url}${path}`, {
      method: 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const begin = async (): Promise<{ user_code: string; login_secret: string }> => {
    const { status, body } = await post('/api/v1/logins');
    assert.equal(status, 201);
    return body as { user_code: string; login_secret: string };
  };
  const poll = (login_secret: string): Promise<Answer> => post('/api/v1/logins/poll', { login_secret });
  const approve = (typed: string) =>
    approveLogin(service.db.knex, { typed, tenantId: acme.tenant.id, now: clock.now() });

  it('return a full key named cli once the code is approved', async () => {
    const started = await post('/api/v1/logins');
    assert.deepEqual([started.status, started.headers.get('cache-control')], [201, 'no-store']);
    const { user_code, login_secret, ...rest } = started.body as Record<string, string>;
    assert.match(user_code ?? '', /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.match(login_secret ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(rest, { expires_in: 600, interval: 2 });
    const waiting = await poll(login_secret ?? '');
    assert.deepEqual([waiting.status, waiting.body], [202, { status: 'pending' }]);

    // As a person would type it.
    assert.equal(
      (await approve(` ${(user_code ?? '').toLowerCase().replace('-', ' ')}`))?.address,
      '127.0.0.1',
    );
    const { status, body, headers } = await poll(login_secret ?? '');
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store']);
    const { key, key_id, ...named } = body as Record<string, string>;
    assert.deepEqual(named, { status: 'approved', tenant: 'acme' });
    const caller = service.withKey(acme.tenant, key ?? '');
    const listed = ((await caller.get('/api/v1/api-keys')).body as Record<string, unknown>[]).find(
      ({ id }) => id === key_id,
    );
    assert.deepEqual(
      [listed?.name, listed?.kind, listed?.scopes, listed?.expires_at],
      ['cli', 'full', ['read', 'write', 'invoke'], null],
    );
  });

  it('store neither the secret nor the key', async () => {
    const { user_code, login_secret } = await begin();
    await approve(user_code);
    const { secret_hash } = (await service.db.knex('logins').where({ code: user_code }).first()) as {
      secret_hash: string;
    };
    assert.match(secret_hash, /^[0-9a-f]{64}$/);
    assert.notEqual(secret_hash, login_secret);
    const { body } = await poll(login_secret);
    const { key, key_id } = body as { key: string; key_id: string };
    const stored = (await service.db.knex('api_keys').where({ id: key_id }).first()) as object;
    assert.ok(!JSON.stringify(stored).includes(key));
    assert.equal(await service.db.knex('logins').where({ code: user_code }).first(), undefined);
  });

  it('create one key for concurrent polls', async () => {
    const { user_code, login_secret } = await begin();
    await approve(user_code);
    const before = await acme.get('/api/v1/api-keys');
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(login_secret)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(7).fill(404)]);
    const after = await acme.get('/api/v1/api-keys');
    assert.equal((after.body as unknown[]).length, (before.body as unknown[]).length + 1);
  });

  it('return the same error whether they are unknown, expired or used', async () => {
    const expired = await begin();
    clock.advance(10 * minuteMs);
    const used = await begin();
    await approve(used.user_code);
    await poll(used.login_secret);
    const refusal = { error: 'login not found: it is expired or used; start another one' };
    for (const secret of ['0'.repeat(64), 'x', '', expired.login_secret, used.login_secret]) {
      const { status, body } = await poll(secret);
      assert.deepEqual([status, body], [404, refusal], secret);
    }
  });

  it('accept only the secret in a poll', async () => {
    const { user_code, login_secret } = await begin();
    await approve(user_code);
    const refused = await post('/api/v1/logins/poll', { login_secret, login_secrets: login_secret });
    assert.equal(refused.status, 400);
    assert.match(refused.body.error, /login_secrets/);
    assert.equal((await poll(login_secret)).status, 200);
  });

  it('are approved once, within ten minutes', async () => {
    const first = await begin();
    clock.advance(10 * minuteMs - 1);
    assert.equal((await poll(first.login_secret)).status, 202);
    assert.notEqual(await approve(first.user_code), undefined);
    assert.equal(await approve(first.user_code), undefined);
    // An approval in the last moment leaves time to fetch the key.
    clock.advance(10 * minuteMs - 1);
    assert.equal((await poll(first.login_secret)).status, 200);

    const late = await begin();
    clock.advance(10 * minuteMs);
    assert.equal(await approve(late.user_code), undefined);
    assert.equal((await poll(late.login_secret)).status, 404);
    const unfetched = await begin();
    await approve(unfetched.user_code);
    clock.advance(10 * minuteMs);
    assert.equal((await poll(unfetched.login_secret)).status, 404);
  });

  it('are limited to a burst of ten per address', async () => {
    const answers = [];
    for (let count = 0; count < 12; count += 1) answers.push(await post('/api/v1/logins'));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array<number>(10).fill(201), 429, 429],
    );
    clock.advance(6_000);
    assert.deepEqual(
      [(await post('/api/v1/logins')).status, (await post('/api/v1/logins')).status],
      [201, 429],
    );
    // Polls have the rate of requests without a key.
    assert.equal((await poll('0'.repeat(64))).status, 404);
  });
});
