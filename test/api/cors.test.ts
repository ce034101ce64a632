import assert from 'node:assert/strict';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Caller, eachService } from '../support/running-service.ts';
import { twoSteps } from '../support/step-package.ts';

const shop = 'https://shop.example.com';
const evil = 'https://evil.example.com';

eachService('cross-origin requests', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let graph: string;
  before(async function () {
    this.timeout(180_000);
    flows = await startFlowService(start);
    acme = flows.acme;
    graph = await flows.compile(twoSteps());
  });
  after(() => flows.stop());

  const minted = async (fields: object): Promise<{ id: string; key: string }> => {
    const body = { name: 'shop', graph_ids: [graph], rate_rps: 1_000, rate_burst: 1_000, ...fields };
    return (await acme.post('/api/v1/api-keys', body)).body as { id: string; key: string };
  };
  const send = async (path: string, init: RequestInit): Promise<Response & { said: string }> => {
    const answer = await fetch(flows.service.url + path, init);
    return Object.assign(answer, { said: await answer.text() });
  };
  const preflight = (origin: string, path = '/invocations/v1/flows/invoke') =>
    send(path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-svc-client',
      },
    });
  const invoke = (key: string, origin: string | undefined, body: object = { graph_id: graph, input: {} }) =>
    send('/invocations/v1/flows/invoke', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(origin === undefined ? {} : { origin }) },
      body: JSON.stringify(body),
    });
  const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

  it('pass preflight while a key lists their origin, and fail it otherwise', async () => {
    const origin = 'https://early.example.com';
    const before = await preflight(origin);
    assert.equal(before.status, 403);
    assert.equal((JSON.parse(before.said) as { error: string }).error, 'origin not in app key allowlist');
    assert.equal(allowed(before), null);
    const { id, key } = await minted({ allowed_origins: [origin] });
    const asked = await preflight(origin);
    assert.equal(asked.status, 204);
    assert.equal(allowed(asked), origin);
    assert.equal(asked.headers.get('access-control-allow-methods'), 'POST');
    assert.equal(
      asked.headers.get('access-control-allow-headers'),
      'authorization,content-type,x-svc-client',
    );
    assert.match(asked.headers.get('vary') ?? '', /Origin/);
    assert.equal(asked.headers.get('access-control-allow-credentials'), null);
    // The union may remember the origin for a moment; the key itself does not.
    await acme.patch(`/api/v1/api-keys/${id}`, { allowed_origins: [shop] });
    assert.equal((await invoke(key, origin)).status, 403);
    assert.equal((await preflight(shop)).status, 204);
  });

  it('are allowed or refused by the allowlist of their key', async () => {
    const { key } = await minted({ allowed_origins: [shop] });
    const good = await invoke(key, shop);
    assert.equal(good.status, 202, good.said);
    assert.equal(allowed(good), shop);
    assert.match(good.headers.get('vary') ?? '', /Origin/);
    const exposed = good.headers.get('access-control-expose-headers')?.split(', ');
    assert.deepEqual(exposed, [
      'Retry-After',
      'X-Execution-Id',
      'X-Request-Id',
      'Idempotency-Replayed',
      'Idempotency-Mismatch',
    ]);
    await minted({ allowed_origins: [evil] });
    const bad = await invoke(key, evil);
    assert.equal(bad.status, 403);
    assert.equal((JSON.parse(bad.said) as { error: string }).error, 'origin not in app key allowlist');
    assert.equal(allowed(bad), null);
  });

  it('can read every kind of error response', async () => {
    const { key, id } = await minted({ allowed_origins: [shop], rate_rps: 0.001, rate_burst: 2 });
    const denied = await invoke(key, shop, { graph_id: 'another', input: {} });
    assert.deepEqual([denied.status, allowed(denied)], [403, shop]);
    const invalid = await invoke(key, shop, {});
    assert.deepEqual([invalid.status, allowed(invalid)], [500, shop]);
    const often = await invoke(key, shop);
    assert.deepEqual([often.status, allowed(often)], [429, shop]);
    assert.equal(often.headers.get('retry-after'), '1');
    await minted({ allowed_origins: [shop] });
    await acme.delete(`/api/v1/api-keys/${id}`);
    const revoked = await invoke(key, shop);
    assert.deepEqual([revoked.status, allowed(revoked)], [401, shop]);
    assert.equal(allowed(await invoke(`svcapp_${'0'.repeat(64)}`, shop)), shop);
  });

  it('get no CORS headers with a full key, and no preflight on management routes', async () => {
    const full = await invoke(acme.key, shop);
    assert.deepEqual([full.status, allowed(full)], [202, null]);
    assert.equal((await preflight(shop, '/api/v1/api-keys')).status, 405);
    assert.equal((await preflight(shop, '/invocations/v1/nothing')).status, 404);
    assert.equal((await send('/invocations/v1/flows/invoke', { method: 'OPTIONS' })).status, 405);
  });

  it('from any origin pass with a key without a list, and those without an origin pass with any key', async () => {
    const listed = await minted({ allowed_origins: [shop] });
    const program = await invoke(listed.key, undefined);
    assert.deepEqual([program.status, allowed(program)], [202, null]);
    const { key, id } = await minted({});
    assert.equal(allowed(await invoke(key, evil)), evil);
    const anywhere = 'https://anywhere.example.com';
    assert.equal((await preflight(anywhere)).status, 204);
    assert.equal((await preflight('null')).status, 403);
    await acme.delete(`/api/v1/api-keys/${id}`);
    assert.equal((await preflight('https://elsewhere.example.com')).status, 403);
  });
});
