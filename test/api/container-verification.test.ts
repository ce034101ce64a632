import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { itSlow } from '../support/fast-run.ts';
import {
  type FixtureContainer,
  type FixturePackage,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type Answer, type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { type ScriptedContainer, startScriptedContainer } from '../support/scripted-container.ts';
import { publishSteps, step } from '../support/step-package.ts';

const tokenize = '/invocations/v1/nodes/acme/text/1.0.0/Tokenize';
const textPath = '/api/v1/packages/acme/text/1.0.0';

eachService('the verification of containers', (start) => {
  let service: RunningService;
  let acme: Caller;
  let text: FixtureContainer;
  let orders: FixtureContainer;
  let older: ScriptedContainer;

  beforeEach(async function () {
    this.timeout(180_000);
    service = await start();
    acme = await service.tenant('acme');
    text = await startFixtureContainer('acme-text');
    orders = await startFixtureContainer('acme-orders');
    older = await startScriptedContainer((answer) => answer.fail(status.INTERNAL, 'reached'));
  });
  afterEach(async () => {
    await service.stop();
    await text.stop();
    await orders.stop();
    older.kill();
  });

  const publish = async (name: FixturePackage, endpoint?: string, caller = acme): Promise<Answer> => {
    const body = await readPackageFolder(fixturePackageFolder(name));
    return caller.post('/api/v1/packages', endpoint === undefined ? body : { ...body, endpoint });
  };
  const deploy = (endpoint: string): Promise<Answer> => acme.put(`${textPath}/deployment`, { endpoint });
  const verificationOf = async (): Promise<unknown[]> => {
    const version = await acme.get(textPath);
    const detail = await acme.get('/api/v1/packages/acme/text');
    return [version.body.verification, detail.body.versions[0].verification];
  };
  const endpointsFor = async (caller: Caller): Promise<unknown[]> => {
    const version = await caller.get(textPath);
    const detail = await caller.get('/api/v1/packages/acme/text');
    return [version.body.endpoint, detail.body.versions[0].endpoint];
  };
  const portOf = ({ endpoint }: FixtureContainer): number => Number(endpoint.split(':').at(-1));

  itSlow('passes when a version is published or deployed', async () => {
    const { status: code, body } = await publish('acme-text', text.endpoint);
    assert.deepEqual([code, body.verification, body.warnings], [201, 'verified', []]);
    assert.deepEqual(await verificationOf(), ['verified', 'verified']);
    assert.deepEqual(await endpointsFor(acme), [text.endpoint, text.endpoint]);
    assert.deepEqual(await endpointsFor(await service.tenant('reader')), [undefined, undefined]);
    const again = await publish('acme-text', text.endpoint);
    assert.deepEqual([again.status, again.body], [200, body]);
    const deployed = await deploy(text.endpoint);
    assert.deepEqual(deployed.body, {
      name: 'acme/text',
      version: '1.0.0',
      endpoint: text.endpoint,
      token_set: false,
      verification: 'verified',
      warnings: [],
    });
    assert.equal((await acme.post(tokenize, { text: 'Hello' })).status, 200);
  });

  itSlow('is not reported for a version without an endpoint', async () => {
    const { body } = await publish('acme-text');
    assert.deepEqual([body.verification, body.warnings], [undefined, []]);
    assert.deepEqual(await verificationOf(), [undefined, undefined]);
    await deploy(text.endpoint);
    await acme.delete(`${textPath}/deployment`);
    assert.deepEqual(await verificationOf(), [undefined, undefined]);
  });

  itSlow('refuses to publish or deploy at the port of another container', async () => {
    const error =
      `the container at ${orders.endpoint} does not serve acme/text 1.0.0 as published: ` +
      'it serves acme/orders 1.0.0: if its package has changed, restart it with the new messages (svc node types writes their types); otherwise give the endpoint of the right container';
    const refused = await publish('acme-text', orders.endpoint);
    assert.deepEqual([refused.status, refused.body], [409, { error }]);
    assert.equal((await acme.get(textPath)).status, 404);
    await publish('acme-text', text.endpoint);
    const moved = await deploy(orders.endpoint);
    assert.deepEqual([moved.status, moved.body], [409, { error }]);
    assert.equal((await acme.post(tokenize, { text: 'Hello' })).status, 200);
  });

  itSlow('reports a conflict with the published version before a wrong container', async () => {
    await publish('acme-text', text.endpoint);
    const body = await readPackageFolder(fixturePackageFolder('acme-text'));
    const changed = { ...body, description: 'Other words.', endpoint: orders.endpoint };
    const refused = await acme.post('/api/v1/packages', changed);
    assert.equal(refused.status, 409);
    assert.match(refused.body.error, /^acme\/text 1\.0\.0 is published with other content/);
  });

  itSlow('is unverified for a container that does not describe itself, but still gets calls', async () => {
    const { status: code, body } = await publish('acme-text', older.endpoint);
    assert.deepEqual([code, body.verification, body.warnings], [201, 'unverified', []]);
    assert.deepEqual(await verificationOf(), ['unverified', 'unverified']);
    const called = await acme.post(tokenize, { text: 'Hello' });
    assert.equal(called.body.error_message, 'calling node: INTERNAL: reached');
    assert.deepEqual(older.requests[0]?.context?.packageName, 'acme/text');
    assert.deepEqual(older.requests[0].context.packageVersion, '1.0.0');
  });

  itSlow(
    'is pending with a warning while the container does not answer, until the first connection',
    async () => {
      const port = portOf(text);
      await text.stop();
      const { status: code, body } = await publish('acme-text', text.endpoint);
      assert.deepEqual([code, body.verification], [201, 'pending']);
      assert.deepEqual(body.warnings, [
        `the container at ${text.endpoint} could not be verified (could not connect to node): ` +
          'calls fail until one that serves the version answers there',
      ]);
      assert.deepEqual(await verificationOf(), ['pending', 'pending']);
      assert.equal((await deploy(text.endpoint)).body.warnings.length, 1);
      text = await startFixtureContainer('acme-text', port);
      assert.equal((await untilConnected(() => acme.post(tokenize, { text: 'Hello' }))).status, 200);
      assert.deepEqual(await verificationOf(), ['verified', 'verified']);
    },
  );

  itSlow('warns how to roll back when a deployment replaces a container that answered', async () => {
    await publish('acme-text', text.endpoint);
    const dead = 'grpc://127.0.0.1:1';
    const moved = await deploy(dead);
    assert.deepEqual(
      [moved.status, moved.body.verification, moved.body.warnings],
      [
        200,
        'pending',
        [
          `the container at ${dead} could not be verified (could not connect to node): calls fail until one that serves the version answers there`,
          `it replaces the deployment at ${text.endpoint}, whose container was verified: to go back, deploy the version there again`,
        ],
      ],
    );
    assert.equal((await acme.post(tokenize, { text: 'Hello' })).status, 502);
    assert.deepEqual((await deploy(text.endpoint)).body.warnings, []);
    assert.equal((await acme.post(tokenize, { text: 'Hello' })).status, 200);
    const again = await publish('acme-text', dead);
    assert.match(again.body.warnings[1], /^it replaces the deployment at /);
    await deploy(text.endpoint);
  });

  itSlow(
    'fails calls with an error after another container takes the port, until the right one is back',
    async () => {
      const port = portOf(text);
      await publish('acme-text', text.endpoint);
      assert.equal((await acme.post(tokenize, { text: 'Hello' })).status, 200);
      await text.stop();
      await orders.stop();
      orders = await startFixtureContainer('acme-orders', port);
      const { status: code, body } = await untilConnected(() => acme.post(tokenize, { text: 'Hello' }));
      assert.deepEqual(
        [code, body.error_message],
        [
          502,
          'calling node: the container does not serve acme/text 1.0.0 as published: it serves acme/orders 1.0.0',
        ],
      );
      assert.deepEqual(await verificationOf(), ['mismatch', 'mismatch']);
      await orders.stop();
      text = await startFixtureContainer('acme-text', port);
      const back = await untilConnected(() => acme.post(tokenize, { text: 'Hello' }), 'as published');
      assert.equal(back.status, 200);
      assert.deepEqual(await verificationOf(), ['verified', 'verified']);
    },
  );

  itSlow('covers flows, whose steps fail with the same error', async () => {
    const endpoint = `grpc://127.0.0.1:${portOf(orders)}`;
    await orders.stop();
    await publishSteps(acme, { endpoint });
    orders = await startFixtureContainer('acme-orders', portOf(orders));
    const flow = { name: 'One step', entry: 'a', terminal: 'a', nodes: [step('a')], edges: [] };
    const compiled = await acme.post('/api/v1/graphs/compile', flow);
    const invocation = { graph_id: compiled.body.graph_id, input: {}, wait: true };
    const run = await untilConnected(() =>
      acme.post('/invocations/v1/flows/invoke', { ...invocation, idempotency_key: crypto.randomUUID() }),
    );
    assert.equal(
      run.body.error_message,
      'calling node: the container does not serve acme/steps 1.0.0 as published: it serves acme/orders 1.0.0',
    );
  });

  itSlow('covers a generic package, whose container serves the calls of Instances', async () => {
    const generic = await startFixtureContainer('acme-generic');
    try {
      const published = await publish('acme-generic', generic.endpoint);
      assert.equal(published.body.verification, 'verified', JSON.stringify(published.body));
      const made = await acme.post('/api/v1/instances', {
        generic_package: 'acme/generic',
        generic_node: 'Validate',
        name: 'acme/invoices',
        input: { message_name: 'Invoice', fields: { number: 'string' } },
      });
      const called = await acme.post(`/invocations/v1/nodes/${made.body.node_ulid}`, { number: 'A1' });
      assert.equal(called.status, 200, JSON.stringify(called.body));
      const shell = await acme.get('/api/v1/packages/acme/invoices/0.1.0');
      assert.deepEqual([shell.body.deployed, shell.body.verification], [true, undefined]);
    } finally {
      await generic.stop();
    }
  });
});

/** Calls again until the lost connection is replaced, or as long as the answer contains `before`. */
async function untilConnected(call: () => Promise<Answer>, before?: string): Promise<Answer> {
  for (;;) {
    const answer = await call();
    const body = JSON.stringify(answer.body);
    const lost = /could not connect|UNAVAILABLE|CANCELLED/.test(body);
    if (!lost && (before === undefined || !body.includes(before))) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
