import assert from 'node:assert/strict';
import { loadSecretKey } from '../../service/access/secrets/secret-key.ts';
import { createSecretStore } from '../../service/access/secrets/secret-store.ts';
import { systemClock } from '../../service/clock.ts';
import { createRegistry } from '../../service/messages/registry.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { type ScriptedContainer, startScriptedContainer } from '../support/scripted-container.ts';

const proto = 'syntax = "proto3"; package acme.any.v1; message Nothing { string note = 1; }';
const thing = (message_name: string) => ({
  message_name,
  description: 'Not for containers.',
  fields: { name: 'string' },
});

for (const way of ['Invoke', 'Session'] as const) {
  describe(`calls of instances by ${way}`, () => {
    let service: RunningService;
    let acme: Caller;
    let container: ScriptedContainer;

    before(async () => {
      service = await startService();
      acme = await service.tenant('acme');
      container = await startScriptedContainer(
        (answer, request) => {
          answer.say({ case: 'output', value: request.input });
          answer.end();
        },
        { way },
      );
      const published = await acme.post('/api/v1/packages', {
        name: 'acme/any',
        version: '1.0.0',
        endpoint: container.endpoint,
        protos: { 'acme/any.proto': proto },
        nodes: [
          {
            name: 'Turn',
            kind: 'generic',
            generic: ['input', 'output'],
            description: 'Turns one into another.',
            required_secrets: ['HOST_KEY'],
          },
        ],
      });
      assert.equal(published.status, 201, JSON.stringify(published.body));
      const created = await acme.post('/api/v1/instances', {
        generic_package: 'acme/any',
        generic_node: 'Turn',
        name: 'acme/turned',
        required_secrets: ['OWN_KEY', 'HOST_KEY'],
        input: thing('Egg'),
        output: thing('Hen'),
      });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      assert.deepEqual(
        [created.body.input_message, created.body.output_message],
        ['acme.turned.Egg', 'acme.turned.Hen'],
      );
    });
    after(async () => {
      await service.stop();
      container.kill();
    });

    const setSecret = async (name: string): Promise<void> => {
      const key = await loadSecretKey(service.config);
      const store = createSecretStore({ tx: service.db.knex, clock: systemClock, key });
      await store.set(acme.tenant.id, name, `value of ${name}`);
    };
    const direct = () => acme.post('/invocations/v1/nodes/acme/turned/0.1.0/Turn', { name: 'x' });
    const compile = () =>
      acme.post('/api/v1/graphs/compile', {
        name: 'Turned',
        entry: 'a',
        terminal: 'a',
        nodes: [{ id: 'a', package: 'acme/turned', node_name: 'Turn' }],
      });

    function assertBound(): void {
      const request = container.requests.at(-1);
      assert.equal(request?.way, way);
      assert.equal(request.context?.node, 'Turn');
      assert.deepEqual(request.context.secrets, {
        HOST_KEY: 'value of HOST_KEY',
        OWN_KEY: 'value of OWN_KEY',
      });
      const { binding } = request.context;
      assert.ok(binding);
      const { instance, inputMessage, outputMessage, descriptorSet } = binding;
      assert.deepEqual(
        [instance, inputMessage, outputMessage],
        ['acme/turned@0.1.0', 'acme.turned.Egg', 'acme.turned.Hen'],
      );
      const registry = createRegistry(descriptorSet);
      assert.deepEqual(
        registry.getMessage(outputMessage)?.fields.map(({ name }) => name),
        ['name'],
      );
      assert.ok(
        !Buffer.from(descriptorSet).includes('Not for containers'),
        'comments travel with every call',
      );
    }

    it('are refused while a secret of the instance or of its generic node is missing', async () => {
      await setSecret('OWN_KEY');
      const { status, body } = await direct();
      assert.equal(status, 400);
      assert.match(body.error_message as string, /needs the secret "HOST_KEY", which is not configured/);
      const compiled = await compile();
      assert.equal(compiled.status, 400);
      assert.match(compiled.body.message as string, /HOST_KEY/);
      assert.equal(container.requests.length, 0);
    });

    it('carry the binding and the secrets of the instance when made directly', async () => {
      await setSecret('HOST_KEY');
      const { status, body } = await direct();
      assert.deepEqual([status, body], [200, { name: 'x' }]);
      assertBound();
    });

    it('carry them when made by a flow', async () => {
      const compiled = await compile();
      assert.equal(compiled.status, 201, JSON.stringify(compiled.body));
      const graph_id = compiled.body.graph_id as string;
      const run = await acme.post('/invocations/v1/flows/invoke', {
        graph_id,
        input: { name: 'y' },
        wait: true,
      });
      assert.deepEqual(run.body.result?.output, { name: 'y' }, JSON.stringify(run.body));
      assertBound();
      assert.equal(container.requests.at(-1)?.context?.placementId, 'a');
    });

    it('are refused once the bound version is undeployed', async () => {
      await acme.delete('/api/v1/packages/acme/any/1.0.0/deployment');
      const { status, body } = await direct();
      assert.deepEqual([status, body], [404, { error_message: 'node not found or not yet deployed' }]);
    });
  });
}
