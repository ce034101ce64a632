import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { endOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, eachService } from '../support/running-service.ts';
import { step, stepPackage, twoSteps } from '../support/step-package.ts';
import { until } from '../support/until.ts';

const gone = { status: 404, code: 'version_not_found' };

eachService('deleting a package version', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let other: Caller;
  before(async () => {
    flows = await startFlowService(start);
    acme = flows.acme;
    other = await flows.service.tenant('other');
  });
  after(() => flows.stop());

  const pathOf = (name: string, version = '1.0.0'): string => `/api/v1/packages/acme/${name}/${version}`;
  const remove = (name: string, version?: string, caller = acme): Promise<Answer> =>
    caller.delete(pathOf(name, version));
  /** Publishes a version without containers and returns the ULID of its node `Step`. */
  const publish = async (name: string, changes: Record<string, unknown> = {}): Promise<string> => {
    const { status, body } = await acme.post(
      '/api/v1/packages',
      stepPackage({ name: `acme/${name}`, ...changes }),
    );
    assert.equal(status, 201, JSON.stringify(body));
    return (body.nodes as { node_ulid: string }[])[0]?.node_ulid ?? '';
  };
  const undeploy = async (name: string): Promise<void> => {
    assert.equal((await acme.delete(`${pathOf(name)}/deployment`)).status, 204);
  };
  const onNode = (name: string): object =>
    twoSteps({
      name: `On ${name}`,
      terminal: 'a',
      nodes: [step('a', { package: `acme/${name}`, version: '1.0.0' })],
      edges: [],
    });
  const compile = (name: string, caller = acme): Promise<Answer> =>
    caller.post('/api/v1/graphs/compile', onNode(name));
  const refusal = ({ status, envelope, body }: Answer): object => ({
    status,
    code: envelope?.code,
    error: body.error as string,
  });
  const assertRefused = (answer: Answer, wanted: { status: number; code: string }): void => {
    assert.deepEqual({ status: answer.status, code: answer.envelope?.code }, wanted);
  };

  it('hides it from lookups, calls, flows, Instances, clients and deployments', async () => {
    const ulid = await publish('gone');
    await publish('gone', { version: '1.1.0' });
    assert.equal((await remove('gone', '1.1.0')).status, 204);
    assert.equal((await acme.get('/api/v1/packages/acme/gone')).body.latest_version, '1.0.0');
    assert.equal((await remove('gone')).status, 204);

    assertRefused(await acme.get(pathOf('gone')), gone);
    const { body } = await acme.get('/api/v1/packages/acme/gone');
    assert.deepEqual([body.latest_version, body.versions], ['', []]);
    assertRefused(
      await acme.put(`${pathOf('gone')}/deployment`, { endpoint: flows.container.endpoint }),
      gone,
    );
    for (const path of ['acme/gone/1.0.0/Step', ulid]) {
      assert.equal((await acme.post(`/invocations/v1/nodes/${path}`, {})).status, 404);
    }
    assert.equal((await acme.get(`/api/nodes/${ulid}/schema.json`)).status, 404);
    assert.equal((await acme.get('/api/packages/acme/gone@1.0.0/openapi.json')).status, 404);
    assert.doesNotMatch(JSON.stringify((await acme.get('/docs')).body), /acme\/gone/);

    const compiled = await compile('gone');
    assert.equal(compiled.status, 400);
    assert.match(JSON.stringify(compiled.body), /acme\/gone has no version \\"1.0.0\\"/);
    const client = (await acme.post('/api/v1/clients', { name: 'Gone' })).body.id as string;
    const member = { type: 'node', package: 'acme/gone', version: '1.0.0', node_ulid: ulid };
    assertRefused(await acme.post(`/api/v1/clients/${client}/members`, member), gone);
    const bound = await acme.post('/api/v1/instances', { ...instanceOf('gone'), name: 'acme/never' });
    assertRefused(bound, { status: 404, code: 'node_not_found' });
  });

  itSlow('retires its number, which cannot be published again', async () => {
    await publish('number');
    assert.equal((await remove('number')).status, 204);
    for (const changes of [{}, { description: 'Other content.' }]) {
      const again = await acme.post('/api/v1/packages', stepPackage({ name: 'acme/number', ...changes }));
      assert.deepEqual(refusal(again), {
        status: 409,
        code: 'version_deleted',
        error: 'acme/number 1.0.0 was deleted, and a number is not used again: choose a higher version',
      });
    }
    await publish('number', { version: '1.0.1' });
  });

  it('makes it look as if it never existed, even to its owner', async () => {
    await publish('never');
    assert.equal((await remove('never')).status, 204);
    assertRefused(await remove('never'), gone);
    assertRefused(await remove('never', '9.0.0'), gone);
    assertRefused(await remove('nothing'), { status: 404, code: 'package_not_found' });
  });

  itSlow('refuses versions of other tenants, with 404 for private ones', async () => {
    await publish('shown');
    await publish('hidden', { visibility: 'private' });
    assertRefused(await remove('shown', '1.0.0', other), { status: 403, code: 'foreign_handle' });
    assertRefused(await remove('hidden', '1.0.0', other), { status: 404, code: 'package_not_found' });
    assert.equal((await acme.get(pathOf('shown'))).status, 200);
    assert.equal((await acme.get(pathOf('hidden'))).status, 200);
  });

  it('requires it to be undeployed first', async () => {
    await publish('served', { endpoint: flows.container.endpoint });
    assert.deepEqual(refusal(await remove('served')), {
      status: 409,
      code: 'version_deployed',
      error: 'acme/served 1.0.0 is deployed: undeploy it before you delete it',
    });
    await undeploy('served');
    assert.equal((await remove('served')).status, 204);
  });

  it('is refused while a flow of any tenant uses it', async () => {
    await publish('flowing');
    const graphId = (await compile('flowing')).body.graph_id as string;
    assert.equal((await compile('flowing', other)).status, 201);
    assert.deepEqual((await acme.get(`${pathOf('flowing')}?uses=true`)).body.uses, [
      { kind: 'flow', own: 1, names: [`On flowing (${graphId})`], others: 1 },
    ]);
    assert.equal((await acme.get(pathOf('flowing'))).body.uses, undefined);
    const seen = await other.get(`${pathOf('flowing')}?uses=true`);
    assert.deepEqual([seen.status, seen.body.uses], [200, undefined]);
    assert.deepEqual(refusal(await remove('flowing')), {
      status: 409,
      code: 'version_in_use',
      error: `acme/flowing 1.0.0 is in use: 1 flow On flowing (${graphId}) and 1 flow of other tenants (flows are kept, so the version stays)`,
    });
  });

  itSlow('is refused while a client has it as a member, but not for earlier client versions', async () => {
    await publish('pinned');
    const client = (await acme.post('/api/v1/clients', { name: 'Pins' })).body.id as string;
    const members = `/api/v1/clients/${client}/members`;
    const member = { type: 'node', package: 'acme/pinned', version: '1.0.0', node_name: 'Step' };
    for (const alias of ['a', 'b', 'c', 'd']) await acme.post(members, { ...member, alias });
    const theirs = (await other.post('/api/v1/clients', { name: 'Secret name' })).body.id as string;
    await other.post(`/api/v1/clients/${theirs}/members`, member);
    const builds = `/api/v1/clients/${client}/build`;
    assert.equal((await acme.post(builds, { languages: ['go'] })).status, 202);
    assert.deepEqual(refusal(await remove('pinned')), {
      status: 409,
      code: 'version_in_use',
      error:
        'acme/pinned 1.0.0 is in use: 4 client members Pins/a, Pins/b, Pins/c, ... and 1 client member of other tenants ' +
        '(remove the members first)',
    });
    await acme.put(members, { members: [] });
    await other.delete(`/api/v1/clients/${theirs}`);
    assert.equal((await remove('pinned')).status, 204);

    assert.equal((await acme.post(builds, { version: 1, languages: ['python'] })).status, 202);
    const build = `/api/v1/clients/${client}/versions/1?language=python`;
    const { body } = await eventually(async () => {
      const answer = await acme.get(build);
      return answer.body.status === 'pending' ? undefined : answer;
    });
    assert.deepEqual([body.status, body.error], ['succeeded', undefined]);
  });

  const instanceOf = (name: string): object => ({
    generic_package: `acme/${name}`,
    generic_node: 'Open',
    generic_version: '1.0.0',
    output: { message_name: 'Bill', fields: { number: 'string' } },
  });

  it('is refused while an Instance binds it, but the version of the Instance can be deleted', async () => {
    await publish('open');
    for (const [caller, handle] of [
      [acme, 'acme'],
      [other, 'other'],
    ] as const) {
      const made = await caller.post('/api/v1/instances', { ...instanceOf('open'), name: `${handle}/bills` });
      assert.equal(made.status, 201, JSON.stringify(made.body));
    }
    assert.deepEqual(refusal(await remove('open')), {
      status: 409,
      code: 'version_in_use',
      error:
        'acme/open 1.0.0 is in use: 1 Instance acme/bills@0.1.0 and 1 Instance of other tenants ' +
        '(delete the versions of the Instances first)',
    });
    assert.equal((await remove('bills', '0.1.0')).status, 204);
    assert.equal((await other.delete('/api/v1/packages/other/bills/0.1.0')).status, 204);
    const again = await acme.post('/api/v1/instances', { ...instanceOf('open'), name: 'acme/bills' });
    assertRefused(again, { status: 409, code: 'version_deleted' });
    assert.match(again.body.error, /^acme\/bills 0\.1\.0 was deleted, .*: choose another name$/);
    assert.equal((await remove('open')).status, 204);
  });

  it('is refused while an unfinished run uses it, and keeps the history of runs readable', async () => {
    await publish('grown', { endpoint: flows.container.endpoint });
    let finish: (() => void) | undefined;
    const fragment = {
      nodes: [step('x', { package: 'acme/grown', version: '1.0.0' })],
      edges: [
        { from: 'a', to: 'x' },
        { from: 'x', to: 'b' },
      ],
    };
    flows.behaviours.set('a', (input, answer) => {
      answer.say({ case: 'mutation', value: { fragmentJson: JSON.stringify(fragment) } });
      return { ...input, text: 'a' };
    });
    flows.behaviours.set('b', (_, answer) => {
      finish = () => {
        answer.say({ case: 'output', value: Buffer.from('\n\x01b') });
        answer.end();
      };
      return undefined;
    });
    const graphId = await flows.compile(
      twoSteps({
        name: 'Growing',
        mutation_enabled: true,
        edges: [{ from: 'a', to: 'b', condition: 'text == "no"' }],
      }),
    );
    const run = await acme.post('/invocations/v1/flows/invoke', { graph_id: graphId, input: {} });
    const id = run.body.execution_id as string;
    await until(() => finish !== undefined);
    await undeploy('grown');
    assert.deepEqual(refusal(await remove('grown')), {
      status: 409,
      code: 'version_in_use',
      error: `acme/grown 1.0.0 is in use: 1 unfinished run ${id} (wait for the runs, or cancel them)`,
    });
    finish?.();
    await endOf(acme, id);
    flows.behaviours.clear();
    assert.equal((await remove('grown')).status, 204);
    const history = await acme.get(
      `/invocations/v1/executions/${id}/events?decode=true&node_name=x&event_type=NODE_COMPLETED`,
    );
    const [completed] = history.body.events as { output: object }[];
    assert.deepEqual(completed?.output, { text: 'ax' });
  });

  it('keeps the records of direct calls', async () => {
    await publish('called', { endpoint: flows.container.endpoint });
    const called = await acme.post('/invocations/v1/nodes/acme/called/1.0.0/Step', { text: 'x' });
    assert.equal(called.status, 200);
    const [record] = (await acme.get('/invocations/v1/executions?limit=1')).body
      .executions as Answer['body'][];
    await undeploy('called');
    assert.equal((await remove('called')).status, 204);
    const events = `/invocations/v1/executions/${record?.execution_id as string}/events?decode=true`;
    const after = await acme.get(`/invocations/v1/executions/${record?.execution_id as string}`);
    assert.equal(after.body.node_fqn, 'acme/called/1.0.0/Step');
    assert.deepEqual(
      ((await acme.get(events)).body.events as { type: string }[]).map(({ type }) => type),
      ['NODE_STARTED', 'NODE_COMPLETED'],
    );
  });

  itSlow(
    'resolves a race with a new flow, member, Instance or deployment in favor of exactly one',
    async () => {
      const client = (await acme.post('/api/v1/clients', { name: 'Racing' })).body.id as string;
      const rivals: ((name: string) => Promise<Answer>)[] = [
        (name) => compile(name),
        (name) =>
          acme.post(`/api/v1/clients/${client}/members`, {
            type: 'node',
            package: `acme/${name}`,
            node_name: 'Step',
            alias: name,
          }),
        (name) => acme.post('/api/v1/instances', { ...instanceOf(name), name: `acme/of-${name}` }),
        (name) => acme.put(`${pathOf(name)}/deployment`, { endpoint: flows.container.endpoint }),
        (name) =>
          acme.post(
            '/api/v1/packages',
            stepPackage({ name: `acme/${name}`, endpoint: flows.container.endpoint }),
          ),
      ];
      for (const [index, rival] of rivals.entries()) {
        for (let round = 0; round < 3; round += 1) {
          const name = `race-${index}-${round}`;
          await publish(name);
          const [used, removed] = await Promise.all([rival(name), remove(name)]);
          const outcome = `rival ${index}: ${used.status}, deletion: ${removed.status}`;
          if (removed.status === 204) assert.ok(used.status >= 400 && used.status < 500, outcome);
          else assert.ok(removed.status === 409 && used.status < 300, outcome);
          assert.equal((await acme.get(pathOf(name))).status, removed.status === 204 ? 404 : 200);
        }
      }
    },
  );
});
