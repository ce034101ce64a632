import assert from 'node:assert/strict';
import { sealSecret } from '../../service/access/secrets/secret-cipher.ts';
import { armSecret, deleteSecret } from '../../service/store/secrets.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { type ScriptedContainer, startScriptedContainer } from '../support/scripted-container.ts';
import { publishSteps, step, twoSteps } from '../support/step-package.ts';
import { storeSecret } from '../support/stored-secret.ts';

describe('secrets of nodes called over HTTP', () => {
  let service: RunningService;
  let acme: Caller;
  let container: ScriptedContainer;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    container = await startScriptedContainer((answer, request) => {
      answer.say({ case: 'output', value: request.input });
      answer.end();
    });
    await publishSteps(acme, { endpoint: container.endpoint });
  });
  after(async () => {
    container.kill();
    await service.stop();
  });

  const sealed = '/invocations/v1/nodes/acme/steps/1.0.0/Sealed';
  const setSecret = (caller: Caller, name: string, value: string) =>
    storeSecret(service, caller, name, value);

  it('block a call before it starts when one is missing', async () => {
    const { status, body } = await acme.post(sealed, { text: 'x' });
    assert.deepEqual(
      [status, body],
      [
        400,
        {
          error_message:
            'node "Sealed" needs the secret "API_TOKEN", which is not configured: the operator sets it with svc secret set',
        },
      ],
    );
    assert.equal(container.requests.length, 0);
  });

  it('reach only the node that declares them', async () => {
    await setSecret(acme, 'API_TOKEN', 's3cret');
    await setSecret(acme, 'UNDECLARED', 'kept');
    const { status } = await acme.post(sealed, { text: 'x' });
    assert.equal(status, 200);
    assert.deepEqual(container.requests.at(-1)?.context?.secrets, { API_TOKEN: 's3cret' });
    await acme.post('/invocations/v1/nodes/acme/steps/1.0.0/Step', { text: 'x' });
    assert.deepEqual(container.requests.at(-1)?.context?.secrets, {});
  });

  it('come from the caller, not from the publisher', async () => {
    const other = await service.tenant('other');
    assert.equal((await other.post(sealed, {})).status, 400);
    await setSecret(other, 'API_TOKEN', 'of the other');
    assert.equal((await other.post(sealed, {})).status, 200);
    assert.deepEqual(container.requests.at(-1)?.context?.secrets, { API_TOKEN: 'of the other' });
  });

  it('are available to a development run only while they are armed', async () => {
    await setSecret(acme, 'API_TOKEN', 's3cret');
    const compiled = await acme.post('/api/v1/graphs/compile', {
      name: 'Sealed',
      entry: 'sealed',
      terminal: 'sealed',
      nodes: [step('sealed', { node_name: 'Sealed' })],
      edges: [],
    });
    const invoke = (key: string, session?: string) =>
      acme.post(
        '/invocations/v1/flows/invoke',
        { graph_id: compiled.body.graph_id, input: {}, wait: true, idempotency_key: key },
        session === undefined ? {} : { 'X-Debug-Session-Id': session },
      );
    const arm = (until: number | null) => armSecret(service.db.knex, acme.tenant.id, 'API_TOKEN', until);
    for (const until of [null, Date.now()]) {
      await arm(until);
      const calls = container.requests.length;
      const refused = await invoke('a', 'session');
      assert.deepEqual(
        [refused.status, refused.body],
        [
          400,
          {
            error: 'dev_not_armed',
            message:
              'node "sealed" needs the secret "API_TOKEN", which is not armed for development runs: the operator arms it with svc secret arm',
          },
        ],
      );
      assert.equal(container.requests.length, calls);
    }
    const plain = await invoke('b');
    assert.equal(plain.body.result.success, true, 'a run without a debug session does not look at arming');
    await arm(Date.now() + 600_000);
    const armed = await invoke('c', 'session');
    assert.equal(armed.body.result.success, true, JSON.stringify(armed.body));
  });

  it("reach the flow's nodes that declare them, and block the invocation once one is deleted", async () => {
    const nodes = [step('open'), step('sealed', { node_name: 'Sealed' })];
    const document = twoSteps({
      nodes,
      entry: 'open',
      terminal: 'sealed',
      edges: [{ from: 'open', to: 'sealed' }],
    });
    const compiled = await acme.post('/api/v1/graphs/compile', document);
    assert.equal(compiled.status, 201, JSON.stringify(compiled.body));
    const invoke = (text: string) =>
      acme.post('/invocations/v1/flows/invoke', {
        graph_id: compiled.body.graph_id,
        input: { text },
        wait: true,
      });
    const { body } = await invoke('first');
    assert.deepEqual(body.result.output, { text: 'first' });
    const given = container.requests.slice(-2).map(({ context }) => [context?.placementId, context?.secrets]);
    assert.deepEqual(given, [
      ['open', {}],
      ['sealed', { API_TOKEN: 's3cret' }],
    ]);
    await deleteSecret(service.db.knex, acme.tenant.id, 'API_TOKEN');
    const calls = container.requests.length;
    const refused = await invoke('second');
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.body, {
      error: 'secret_not_configured',
      message:
        'node "sealed" needs the secret "API_TOKEN", which is not configured: the operator sets it with svc secret set',
    });
    assert.equal(container.requests.length, calls);
  });

  it('encrypted with another key are unavailable, and the error gives the remedy', async () => {
    await storeSecret(service, acme, 'API_TOKEN');
    const compiled = await acme.post('/api/v1/graphs/compile', {
      name: 'Unreadable',
      entry: 'sealed',
      terminal: 'sealed',
      nodes: [step('sealed', { node_name: 'Sealed' })],
      edges: [],
    });
    const owner = { tenantId: acme.tenant.id, name: 'API_TOKEN' };
    await service.db
      .knex('secrets')
      .where({ tenant_id: owner.tenantId, name: owner.name })
      .update({ sealed: sealSecret(new Uint8Array(32).fill(7), owner, 's3cret') });
    const calls = container.requests.length;
    const { graph_id } = compiled.body as { graph_id: string };
    const answers = [
      await acme.post('/invocations/v1/flows/invoke', { graph_id, input: { text: 'unreadable' } }),
      await acme.post(sealed, { text: 'unreadable' }),
    ];
    for (const { status, headers, body } of answers) {
      assert.deepEqual(
        [status, headers.get('retry-after'), body.error, body.retry_after_seconds],
        [503, '5', 'secrets_unavailable', 5],
      );
      assert.match(
        body.message,
        /^secret "API_TOKEN" was encrypted with another key: restart the service with the current key/,
      );
    }
    assert.equal(container.requests.length, calls);
    await storeSecret(service, acme, 'API_TOKEN');
    assert.equal((await acme.post(sealed, { text: 'readable' })).status, 200);
  });
});
