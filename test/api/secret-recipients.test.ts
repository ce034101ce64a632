import assert from 'node:assert/strict';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { publishSteps, step, stepPackage } from '../support/step-package.ts';
import { storeSecret } from '../support/stored-secret.ts';

/** No container is called, so none listens. */
const endpoint = 'grpc://127.0.0.1:1';

eachService('secrets shared with another tenant', (start) => {
  let service: RunningService;
  let acme: Caller;
  let globex: Caller;
  let members: string;
  before(async () => {
    service = await start();
    [acme, globex] = [await service.tenant('acme'), await service.tenant('globex')];
    for (const name of ['API_TOKEN', 'REGION']) {
      await storeSecret(service, acme, name);
      await storeSecret(service, globex, name);
    }
    await publishSteps(acme, { endpoint });
    const nodes = stepPackage().nodes as { name: string }[];
    await publishSteps(globex, {
      name: 'globex/steps',
      endpoint,
      nodes: nodes.map((node) => ({
        ...node,
        ...(node.name === 'Sealed' && { required_secrets: ['API_TOKEN', 'REGION'] }),
        ...(node.name === 'Open' && { required_secrets: ['REGION'] }),
      })),
    });
    for (const owner of [acme, globex]) {
      const created = await owner.post('/api/v1/instances', {
        generic_package: 'globex/steps',
        generic_node: 'Open',
        name: `${owner.tenant.handle}/bound`,
        visibility: 'public',
        output: { message_name: 'Bound', fields: { text: 'string' } },
      });
      assert.equal(created.status, 201, JSON.stringify(created.body));
    }
    const client = await acme.post('/api/v1/clients', { name: 'Runs' });
    members = `/api/v1/clients/${client.body.id}/members`;
  });
  after(() => service.stop());

  const compile = async (node: object, caller = acme) => {
    const { status, body } = await caller.post('/api/v1/graphs/compile', {
      name: 'One',
      entry: 'one',
      terminal: 'one',
      nodes: [step('one', { ...node })],
    });
    assert.ok(status === 200 || status === 201, JSON.stringify(body));
    return body;
  };
  const foreign = { package: 'globex/steps', node_name: 'Sealed' };
  const shared =
    'of globex/steps sends your secrets "API_TOKEN", "REGION" to a container of the tenant "globex"';
  const bound = 'node "one" of acme/bound sends your secret "REGION" to a container of the tenant "globex"';

  it('cause a warning when the flow is compiled or read', async () => {
    const warnings = [{ code: 'secret_shared', node: 'one', message: `node "one" ${shared}` }];
    const compiled = await compile(foreign);
    assert.deepEqual(compiled.warnings, warnings);
    const read = await acme.get(`/api/v1/graphs/${compiled.graph_id}`);
    assert.deepEqual(read.body.warnings, warnings);
    assert.deepEqual((await compile(foreign)).warnings, warnings);
  });

  it('include those of the generic node behind an Instance', async () => {
    const { warnings } = await compile({ package: 'acme/bound', node_name: 'Open' });
    assert.deepEqual(warnings, [{ code: 'secret_shared', node: 'one', message: bound }]);
    assert.deepEqual((await compile({ package: 'globex/bound', node_name: 'Open' }, globex)).warnings, []);
  });

  it("exclude the tenant's own nodes, nodes without secrets, and mocked nodes", async () => {
    for (const node of [
      { node_name: 'Sealed' },
      { package: 'globex/steps', node_name: 'Step' },
      { ...foreign, mock: { output: {} } },
    ]) {
      assert.deepEqual((await compile(node)).warnings, [], JSON.stringify(node));
    }
  });

  it('cause a warning for a new member, whether a node or a flow', async () => {
    const add = (body: object) => acme.post(members, body);
    const sealed = { type: 'node', ...foreign };
    const flow = { type: 'flow', artifact_id: (await compile(foreign)).graph_artifact_id as string };
    const own = { type: 'node', package: 'acme/steps', node_name: 'Sealed', alias: 'own' };
    const instance = { type: 'node', package: 'acme/bound', node_name: 'Open' };
    const expected = [
      [sealed, [`node "Sealed" ${shared}`]],
      [flow, [`node "one" ${shared}`]],
      [own, []],
      [instance, [bound.replace('"one"', '"Open"')]],
    ] as const;
    for (const [body, warnings] of expected) {
      const { status, body: added } = await add(body);
      assert.deepEqual([status, added.warnings], [201, warnings], JSON.stringify(added));
    }
    const replaced = await acme.put(members, { members: expected.map(([body]) => body) });
    assert.deepEqual(
      (replaced.body as { warnings: string[] }[]).map(({ warnings }) => warnings),
      expected.map(([, warnings]) => warnings),
    );
  });

  it('are listed in the document of the flow', async () => {
    const { graph_artifact_id: id } = await compile(foreign);
    const { body } = await acme.get(`/api/graphs/${id}/openapi.json`);
    assert.match(
      body.info.description,
      /containers of other tenants:\n\n- node `one` of `globex\/steps`: `API_TOKEN`, `REGION` to the tenant `globex`$/,
    );
    const own = await compile({ node_name: 'Sealed' });
    const quiet = await acme.get(`/api/graphs/${own.graph_artifact_id}/openapi.json`);
    assert.doesNotMatch(quiet.body.info.description, /secret/);
  });

  it('are listed in the document of the package, for every caller', async () => {
    const textOf = async (name: string, node: string): Promise<string> => {
      const { body } = await acme.get(`/api/packages/${name}/openapi.json`);
      const version = name.split('@')[1] ?? '';
      const path = `/invocations/v1/nodes/${name.split('@')[0]}/${version}/${node}`;
      return (body.paths[path] as { post: { description: string } }).post.description;
    };
    const sends = 'Each call sends these secrets of the caller to a container of the tenant `globex`';
    assert.equal(
      await textOf('globex/steps@1.0.0', 'Sealed'),
      `Calls Sealed.\n\n${sends}: \`API_TOKEN\`, \`REGION\`.`,
    );
    assert.equal(await textOf('globex/steps@1.0.0', 'Step'), 'Calls Step.');
    assert.ok((await textOf('acme/bound@0.1.0', 'Open')).endsWith(`${sends}: \`REGION\`.`));
  });

  it('do not reveal private packages', async () => {
    const nodes = [{ name: 'Open', kind: 'generic', generic: ['output'], input: 'acme.steps.v1.Step' }];
    const quiet = nodes.map((node) => ({ ...node, required_secrets: ['REGION'] }));
    await publishSteps(globex, { name: 'globex/quiet', visibility: 'private', nodes: quiet, endpoint });
    const created = await globex.post('/api/v1/instances', {
      generic_package: 'globex/quiet',
      generic_node: 'Open',
      name: 'globex/loud',
      visibility: 'public',
      output: { message_name: 'Bound', fields: { text: 'string' } },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const { warnings } = await compile({ package: 'globex/loud', node_name: 'Open' });
    const document = await acme.get('/api/packages/globex/loud@0.1.0/openapi.json');
    assert.equal(warnings.length, 1);
    assert.doesNotMatch(JSON.stringify([warnings, document.body]), /globex\/quiet/);
  });
});
