import assert from 'node:assert/strict';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { findPackage } from '../../service/store/packages.ts';
import { findInstanceOfPackage } from '../../service/store/instances.ts';
import { findPackageVersionById } from '../../service/store/package-versions.ts';
import {
  type FixtureContainer,
  type FixturePackage,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';

const path = '/api/v1/instances';
const draft = (message_name: string, fields: object) => ({ message_name, fields });

const invoice = {
  message_name: 'Invoice',
  description: 'What is owed.',
  fields: {
    number: { kind: 'string', description: 'As printed.' },
    lines: {
      kind: 'message',
      repeated: true,
      message: { message_name: 'Line', fields: { sku: 'string', count: 'int64' } },
    },
  },
};

const validate = {
  generic_package: 'acme/generic',
  generic_node: 'Validate',
  name: 'acme/invoices',
  input: invoice,
};
const unbound = { ...validate, input: undefined };
const mock = { ...unbound, generic_node: 'Mock', output: invoice };

eachService('instances', (start) => {
  let service: RunningService;
  let container: FixtureContainer;
  let acme: Caller;
  let rival: Caller;
  const others: FixtureContainer[] = [];

  const publish = async (name: FixturePackage, changes: object = {}, caller = acme): Promise<void> => {
    const body = await readPackageFolder(fixturePackageFolder(name));
    const answer = await caller.post('/api/v1/packages', {
      ...body,
      endpoint: container.endpoint,
      ...changes,
    });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
  };
  /** Publishes acme-generic under another name of rival's, with a container of its own. */
  const publishServed = async (name: string): Promise<void> => {
    const served = await startFixtureContainer('acme-generic', 0, name);
    others.push(served);
    await publish('acme-generic', { name, version: '1.0.0', endpoint: served.endpoint }, rival);
  };
  before(async function () {
    this.timeout(180_000);
    service = await start();
    container = await startFixtureContainer('acme-generic');
    acme = await service.tenant('acme');
    rival = await service.tenant('rival');
    await publish('acme-generic');
    await publish('acme-text', { endpoint: undefined });
  });
  after(async () => {
    await service.stop();
    await container.stop();
    for (const each of others) await each.stop();
  });

  const create = async (body: object, caller = acme) => caller.post(path, body);
  const created = async (body: object, caller = acme): Promise<Record<string, string>> => {
    const answer = await create(body, caller);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body as Record<string, string>;
  };
  const refusal = async (body: object, caller = acme): Promise<[number, string]> => {
    const answer = await create(body, caller);
    return [answer.status, answer.body.error as string];
  };
  const call = (node: string, input: object, caller = acme) =>
    caller.post(`/invocations/v1/nodes/${node}`, input);

  it('return their record when created', async () => {
    const { package_id, node_ulid, generic_node_ulid, ...rest } = await created({
      ...validate,
      name: 'acme/first',
    });
    for (const id of [package_id, node_ulid, generic_node_ulid]) assert.match(id ?? '', /^[0-9A-Z]{26}$/);
    assert.deepEqual(rest, {
      name: 'acme/first',
      version: '0.1.0',
      scope: 'acme',
      owner_tenant_id: acme.tenant.id,
      visibility: 0,
      generic_package: 'acme/generic',
      generic_version: '1.0.0',
      input_message: 'acme.first.Invoice',
    });
    const { visibility, version, output_message } = await created({
      ...mock,
      name: 'acme/public',
      version: '2.0.0-rc.1',
      visibility: 'public',
      input: null,
    });
    assert.deepEqual([visibility, version, output_message], [1, '2.0.0-rc.1', 'acme.public.Invoice']);
  });

  it('are called like nodes, by path and by id', async () => {
    const { node_ulid } = await created({ ...validate, name: 'acme/called' });
    const input = { number: ' 7', lines: [{ sku: 'a', count: '3' }] };
    for (const node of ['acme/called/0.1.0/Validate', node_ulid!]) {
      const answer = await call(node, input);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.deepEqual(answer.body, {
        problems: [
          { path: 'number', rule: 'RULE_SPACE_AROUND_TEXT', message: 'the text begins or ends with space' },
        ],
      });
    }
    const refused = await call('acme/called/0.1.0/Validate', { nmber: 1 });
    assert.equal(refused.status, 400);
    assert.match(refused.body.error_message as string, /^invalid JSON for acme.called.Invoice: /);
  });

  it('join a package of the same name, sharing its messages and version', async () => {
    await created({ ...validate, name: 'acme/joined', version: '1.2.0', package_description: 'Bills.' });
    await call('acme/joined/1.2.0/Validate', {});
    const joined = await created({ ...mock, name: 'acme/joined', node_description: 'Samples of bills.' });
    assert.deepEqual([joined.version, joined.output_message], ['1.2.0', 'acme.joined.Invoice']);
    const made = await call('acme/joined/1.2.0/Mock', { seed: 7, entries: 1 });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.deepEqual(Object.keys(made.body as object), ['number', 'lines']);

    const { body } = await acme.get('/api/v1/packages/acme/joined/1.2.0');
    assert.deepEqual(
      body.nodes.map((node: Record<string, string>) => [node.name, node.kind, node.description]),
      [
        ['Validate', 'standard', 'Checks a message of any type for valid but suspicious values.'],
        ['Mock', 'standard', 'Samples of bills.'],
      ],
    );
    assert.deepEqual(Object.keys(body.protos as object).sort(), [
      'acme/generic/v1/generic.proto',
      'acme/joined/messages.proto',
    ]);

    // One type on both sides: no adapter is needed.
    const flow = await acme.post('/api/v1/graphs/compile', {
      name: 'Make and check',
      entry: 'make',
      terminal: 'check',
      nodes: [
        { id: 'make', package: 'acme/joined', node_name: 'Mock' },
        { id: 'check', package: 'acme/joined', node_name: 'Validate' },
      ],
      edges: [{ from: 'make', to: 'check' }],
    });
    assert.equal(flow.status, 201, JSON.stringify(flow.body));
    assert.deepEqual(flow.body.warnings, []);
    const run = await acme.post('/invocations/v1/flows/invoke', {
      graph_id: flow.body.graph_id,
      input: { seed: '7' },
      wait: true,
    });
    assert.deepEqual(run.body.result?.output, { valid: true }, JSON.stringify(run.body));

    const spec = await acme.get('/api/packages/acme/joined@1.2.0/openapi.json');
    assert.equal(spec.status, 200);
    for (const text of ['What is owed.', 'As printed.', 'Samples of bills.']) {
      assert.ok(JSON.stringify(spec.body).includes(text), text);
    }
  });

  it('add messages when they join, and refuse a conflicting shape of the same message', async () => {
    const first = await created({ ...validate, name: 'acme/grown' });
    const schemaOf = async (node: string) =>
      JSON.stringify((await acme.get(`/api/nodes/${node}/schema.json`)).body);
    const spec = async () =>
      JSON.stringify((await acme.get('/api/packages/acme/grown@0.1.0/openapi.json')).body);
    assert.ok((await schemaOf(first.node_ulid!)).includes('As printed.'));
    assert.ok(!(await spec()).includes('Receipt'));
    const { generic_node, ...rest } = { ...mock, name: 'acme/grown' };
    const other = draft('Invoice', { number: 'int64' });
    assert.deepEqual(await refusal({ ...rest, generic_node, output: other }), [
      400,
      'output: message "Invoice" is already defined with other fields: rename one of the two messages',
    ]);
    const receipt = draft('Receipt', { of: { kind: 'message', message: invoice } });
    const { node_ulid } = await created({ ...rest, generic_node, output: receipt });
    assert.ok((await schemaOf(node_ulid!)).includes('As printed.'));
    assert.ok((await spec()).includes('Receipt'));
    assert.equal((await call('acme/grown/0.1.0/Validate', { number: '1' })).status, 200);
    assert.equal((await call('acme/grown/0.1.0/Mock', {})).status, 200);
  });

  it('refuse to join with another version or visibility', async () => {
    await created({ ...validate, name: 'acme/kept' });
    const joining = { ...mock, name: 'acme/kept' };
    assert.deepEqual(await refusal({ ...joining, version: '0.2.0' }), [
      409,
      'acme/kept has the version "0.1.0", which applies to all of its Instances: leave out version',
    ]);
    const [status, text] = await refusal({ ...joining, visibility: 'public' });
    assert.deepEqual([status, text.includes('leave out visibility')], [409, true]);
    await created({ ...joining, version: '0.1.0', visibility: 'private' });
  });

  it('store sources that compile to their descriptors', async function () {
    this.timeout(300_000);
    await created({ ...validate, name: 'acme/sources-1.x' });
    await created({ ...mock, name: 'acme/sources-1.x' });
    const shell = await findPackage(service.db.knex, 'acme', 'sources-1.x');
    const instance = await findInstanceOfPackage(service.db.knex, acme.tenant.id, shell!.id);
    const version = await findPackageVersionById(service.db.knex, acme.tenant.id, instance!.versionId);
    const files = (set: Uint8Array) =>
      fromBinary(FileDescriptorSetSchema, set)
        .file.map((file) => ({ ...file, sourceCodeInfo: undefined }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    assert.deepEqual(files(version!.descriptorSet), files(await compileProtos(version!.protos)));
    assert.deepEqual(Object.keys(version!.protos), [
      'acme/generic/v1/generic.proto',
      'acme/sources-1.x/messages.proto',
    ]);
  });

  it('pin the latest version when created', async () => {
    await publishServed('rival/pinned');
    const bound = { ...validate, generic_package: 'rival/pinned' };
    const first = await created({ ...bound, name: 'acme/pin-1', generic_version: 'latest' });
    await publish('acme-generic', { name: 'rival/pinned', version: '1.1.0', endpoint: undefined }, rival);
    const second = await created({ ...bound, name: 'acme/pin-2', generic_version: '' });
    const third = await created({ ...bound, name: 'acme/pin-3', generic_version: '1.0.0' });
    const pins = [first, second, third].map(({ generic_version }) => generic_version);
    assert.deepEqual(pins, ['1.0.0', '1.1.0', '1.0.0']);
    assert.equal((await call('acme/pin-1/0.1.0/Validate', {})).status, 200);
    assert.equal((await call('acme/pin-2/0.1.0/Validate', {})).status, 404);
  });

  describe('are visible', () => {
    it('only to their owner, unless public', async () => {
      await created({ ...validate, name: 'acme/mine' });
      await created({ ...validate, name: 'acme/ours', visibility: 'public' });
      const mine = await call('acme/mine/0.1.0/Validate', {}, rival);
      const ours = await call('acme/ours/0.1.0/Validate', {}, rival);
      assert.deepEqual([mine.status, ours.status], [404, 200]);
    });

    it('as undeployed after their owner loses access to the bound node', async () => {
      const hidden = { name: 'rival/hidden', version: '1.0.0', endpoint: undefined };
      await publishServed('rival/hidden');
      await created({ ...validate, generic_package: 'rival/hidden', name: 'acme/of-hidden' });
      const isDeployed = async () => {
        const { body: version } = await acme.get('/api/v1/packages/acme/of-hidden/0.1.0');
        const { body: shell } = await acme.get('/api/v1/packages/acme/of-hidden');
        assert.equal(shell.versions[0].deployed, version.deployed);
        return version.deployed as boolean;
      };
      assert.equal((await call('acme/of-hidden/0.1.0/Validate', {})).status, 200);
      assert.equal(await isDeployed(), true);
      await publish('acme-generic', { ...hidden, visibility: 'private' }, rival);
      assert.equal(await isDeployed(), false);
      const answer = await call('acme/of-hidden/0.1.0/Validate', {});
      assert.deepEqual(
        [answer.status, answer.body],
        [404, { error_message: 'node not found or not yet deployed' }],
      );
      assert.deepEqual(await refusal({ ...validate, generic_package: 'rival/hidden', name: 'acme/late' }), [
        404,
        'generic package not found',
      ]);
    });
  });

  describe('are refused', () => {
    const required = 'generic_package and generic_node are required';
    const cases: [string, object, number, string | RegExp][] = [
      ['without a package', { ...validate, generic_package: undefined }, 400, required],
      ['without a node', { ...validate, generic_node: '' }, 400, required],
      ['without a name', { ...validate, name: '' }, 400, 'name is required'],
      ['without a draft', unbound, 400, 'at least one of output or input must be bound'],
      [
        'with null for drafts',
        { ...unbound, input: null, output: null },
        400,
        /^at least one of output or input/,
      ],
      ['under another handle', { ...validate, name: 'rival/x' }, 403, "forbidden: token lacks 'write' scope"],
      [
        'with a name without a handle',
        { ...validate, name: 'invoices' },
        400,
        /^name: must be <handle>\/<name> in lower case/,
      ],
      ['with an uppercase name', { ...validate, name: 'acme/X' }, 400, /^name: must be <handle>\/<name>/],
      ['with an invalid version', { ...validate, version: '1' }, 400, /^version: must be a semantic version/],
      ['with an unknown field', { ...validate, versoin: '1.0.0' }, 400, /^invalid request body: .*versoin/],
      [
        'with an invalid secret name',
        { ...validate, required_secrets: ['a-b'] },
        400,
        /^invalid request body: required_secrets/,
      ],
      ['with an invalid draft', { ...validate, input: 'Invoice' }, 400, /^input: must be an object/],
      [
        'with a message name of a package',
        { ...validate, input: draft('a.B', { c: 'bool' }) },
        400,
        /^input: message_name "a.B" must/,
      ],
      [
        'with two shapes of the same message',
        { ...validate, input: draft('A', { b: { kind: 'message', message: draft('A', { c: 'bool' }) } }) },
        400,
        /^input: message "A" is already defined with other fields/,
      ],
      [
        'of an unknown package',
        { ...validate, generic_package: 'acme/none' },
        404,
        'generic package not found',
      ],
      [
        'of a package without a handle',
        { ...validate, generic_package: 'generic' },
        404,
        'generic package not found',
      ],
      [
        'of an unknown version',
        { ...validate, generic_version: '9.0.0' },
        404,
        'generic node not found: acme/generic has no version "9.0.0"',
      ],
      [
        'of an unknown node',
        { ...validate, generic_node: 'Check' },
        404,
        'generic node not found: acme/generic 1.0.0 has no node "Check"',
      ],
      [
        'of a node that is not generic',
        { ...validate, generic_package: 'acme/text', generic_node: 'Tokenize' },
        400,
        'node "Tokenize" of acme/text 1.0.0 is not generic: call it directly',
      ],
      [
        'with a draft for the wrong port',
        { ...unbound, output: invoice },
        400,
        'the input of node "Validate" is generic: bind it to a message draft in input',
      ],
      [
        'with a draft for a port that is not generic',
        { ...validate, output: invoice },
        400,
        'the output of node "Validate" is not generic, its message is acme.generic.v1.ValidateResponse: omit output',
      ],
      [
        'under the name of a published package',
        { ...validate, name: 'acme/text' },
        409,
        'acme/text is a published package and cannot contain Instances: choose another name',
      ],
    ];
    for (const [what, body, status, text] of cases) {
      it(what, async () => {
        const [answered, reported] = await refusal({ name: 'acme/refused', ...body });
        assert.equal(answered, status, reported);
        if (typeof text === 'string') assert.equal(reported, text);
        else assert.match(reported, text);
      });
    }

    it('without side effects', async () => {
      const { status } = await acme.get('/api/v1/packages/acme/refused');
      assert.equal(status, 404);
    });

    it('when the name is taken', async () => {
      await created({ ...validate, name: 'acme/taken' });
      for (const body of [
        validate,
        { ...validate, input: draft('Other', { a: 'bool' }), version: '3.0.0' },
      ]) {
        assert.deepEqual(await refusal({ ...body, name: 'acme/taken' }), [
          409,
          'an instance with that name already exists',
        ]);
      }
    });

    it('under the handle of another tenant, with the right handle in the error', async () => {
      const { status, body } = await acme.post('/api/v1/instances', { ...validate, name: 'rival/x' });
      assert.deepEqual(
        [status, body],
        [
          403,
          {
            error: "forbidden: token lacks 'write' scope",
            message:
              'forbidden: token lacks \'write\' scope: "rival/x" has the handle of another tenant: name it acme/<name>',
          },
        ],
      );
    });

    it('for keys without write scope', async () => {
      const reader = await service.tenant('reader', { scopes: ['read', 'invoke'] });
      assert.deepEqual(await refusal({ ...validate, name: 'reader/x' }, reader), [
        403,
        "forbidden: token lacks 'write' scope",
      ]);
    });

    it('when the body is larger than 1 MiB', async () => {
      const padded = (name: string, bytes: number) =>
        JSON.stringify({ ...validate, name }).padEnd(bytes, ' ');
      const exact = await acme.post(path, padded('acme/exact', 1_048_576));
      const over = await acme.post(path, padded('acme/over', 1_048_577));
      assert.deepEqual(
        [exact.status, over.status, over.body],
        [201, 413, { error: 'request body too large' }],
      );
    });
  });

  describe('that are created concurrently', () => {
    it('create one instance per name and refuse the others', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => create({ ...validate, name: 'acme/raced' })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
      const { body } = await acme.get('/api/v1/packages/acme/raced/0.1.0');
      assert.equal(body.nodes.length, 1);
    });

    it('join the same package if they bind different nodes', async () => {
      const answers = await Promise.all(
        [validate, mock].map((body) => create({ ...body, name: 'acme/met' })),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201],
      );
      for (const node of ['Validate', 'Mock']) {
        assert.equal((await call(`acme/met/0.1.0/${node}`, {})).status, 200, node);
      }
    });
  });

  it('own their package, where publishing and deploying are refused', async () => {
    await created({ ...validate, name: 'acme/held' });
    const body = await readPackageFolder(fixturePackageFolder('acme-text'));
    const published = await acme.post('/api/v1/packages', { ...body, name: 'acme/held' });
    const deployed = await acme.put('/api/v1/packages/acme/held/0.1.0/deployment', {
      endpoint: container.endpoint,
    });
    for (const answer of [published, deployed]) {
      assert.equal(answer.status, 409);
      assert.match(
        answer.body.error as string,
        /^acme\/held contains Instances, which cannot be published or/,
      );
    }
  });

  it('keep their types separate from those of the bound package', async () => {
    const proto = 'syntax = "proto3"; package acme.meeting; message Invoice { string own = 1; }';
    await acme.post('/api/v1/packages', {
      name: 'acme/meets',
      version: '1.0.0',
      protos: { 'acme/meeting/messages.proto': proto },
      nodes: [{ name: 'Turn', kind: 'generic', generic: ['input'], output: 'acme.meeting.Invoice' }],
    });
    const { input_message } = await created({
      ...validate,
      generic_package: 'acme/meets',
      generic_node: 'Turn',
      name: 'acme/meeting',
    });
    assert.equal(input_message, 'instance.acme.meeting.Invoice');
    const { body } = await acme.get('/api/v1/packages/acme/meeting/0.1.0');
    assert.deepEqual(Object.keys(body.protos as object), [
      'acme/meeting/messages.proto',
      'acme/meeting/messages_2.proto',
    ]);
  });
});
