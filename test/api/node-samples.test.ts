import assert from 'node:assert/strict';
import { unzipSync } from 'fflate';
import { parseExactJson } from '../../specs/exact-json.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { textPackage } from '../support/published-text.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';

suiteNeeds('processes', 'samples of nodes', function () {
  this.timeout(60_000);
  let service: RunningService;
  let acme: Caller;
  let container: FixtureContainer;
  let sample: object;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    container = await startFixtureContainer('acme-orders');
    const body = await readPackageFolder(fixturePackageFolder('acme-orders'));
    sample = body.nodes[0]?.sample as object;
    const published = await acme.post('/api/v1/packages', { ...body, endpoint: container.endpoint });
    assert.equal(published.status, 201, JSON.stringify(published.body));
  });
  after(async () => {
    await service.stop();
    await container.stop();
  });

  const readme = async (client: object, aliases: readonly string[]): Promise<string> => {
    const { body } = await acme.post('/api/v1/clients', client);
    const at = `/api/v1/clients/${body.id}`;
    for (const node_name of aliases) {
      const member = { type: 'node', package: 'acme/orders', node_name };
      assert.equal((await acme.post(`${at}/members`, member)).status, 201);
    }
    assert.equal((await acme.post(`${at}/build`, { languages: ['python'] })).status, 202);
    for (;;) {
      const row = await acme.get(`${at}/versions/1?language=python`);
      if (row.body.status === 'pending') continue;
      assert.equal(row.body.status, 'succeeded', row.body.error);
      break;
    }
    const url = `${service.url}${at}/versions/1/download?language=python`;
    const download = await fetch(url, { headers: { authorization: `Bearer ${acme.key}` } });
    const files = unzipSync(new Uint8Array(await download.arrayBuffer()));
    return Buffer.from(files['README.md'] ?? []).toString();
  };
  it('are the examples in API documents, and calls with them succeed', async () => {
    const { body } = await acme.get('/api/packages/acme/orders@1.0.0/openapi.json');
    const path = '/invocations/v1/nodes/acme/orders/1.0.0/PriceOrder';
    const { example } = body.paths[path].post.requestBody.content['application/json'];
    assert.deepEqual(example, sample);
    const called = await acme.post(path, example);
    assert.deepEqual([called.status, called.body.currency], [200, 'EUR'], JSON.stringify(called.body));
  });

  it('are in the READMEs of SDKs, whose first call uses the member added first', async () => {
    const text = await readme({ name: 'Orders' }, ['PriceOrder', 'AdvanceOrder']);
    const [, first = ''] = /^## First call\n+```python\n(.*?)```/ms.exec(text) ?? [];
    assert.match(first, /price_order/);
    assert.match(first, /BOOK-1/);
    const other = await readme({ name: 'Orders again' }, ['AdvanceOrder', 'PriceOrder']);
    assert.match(/^## First call\n+```python\n(.*?)```/ms.exec(other)?.[1] ?? '', /advance_order/);
  });

  it('are refused with the node and the reason when invalid', async () => {
    const publish = (version: string, sample: unknown) => {
      const body = textPackage('acme', { version });
      const nodes = body.nodes.map((node) => ({ ...node, sample }));
      return acme.post('/api/v1/packages', { ...body, nodes });
    };
    const unknown = await publish('3.0.0', { txet: 'x' });
    assert.equal(unknown.status, 400);
    assert.match(unknown.body.error, /node "Tokenize": sample: .*txet/);
    const old = textPackage('acme', { version: '3.0.3' });
    const strict = await acme.post('/api/v1/packages', {
      ...old,
      name: 'acme/strict',
      protos: {
        'a.proto': 'syntax = "proto2"; package acme.strict; message In { required string text = 1; }',
      },
      nodes: [{ name: 'Echo', input: 'acme.strict.In', output: 'acme.strict.In', sample: {} }],
    });
    assert.equal(strict.status, 400, JSON.stringify(strict.body));
    assert.match(strict.body.error, /node "Echo": sample: .*required/);
    const fitting = (length: number) => ({ text: 'x'.repeat(length - '{"text":""}'.length) });
    assert.equal((await publish('3.0.1', fitting(4096))).status, 201);
    const long = await publish('3.0.2', fitting(4097));
    assert.equal(long.status, 400);
    assert.match(long.body.error, /nodes\[0\]\.sample: must have at most 4096 characters as JSON/);
  });

  it('belong to the content of a version, which cannot be published again with another sample', async () => {
    const body = textPackage('acme', { version: '4.0.0' });
    const withSample = (text: string) => ({
      ...body,
      nodes: body.nodes.map((node) => ({ ...node, sample: { text } })),
    });
    assert.equal((await acme.post('/api/v1/packages', withSample('a'))).status, 201);
    assert.equal((await acme.post('/api/v1/packages', withSample('a'))).status, 200);
    assert.equal((await acme.post('/api/v1/packages', withSample('b'))).status, 409);
    assert.equal((await acme.post('/api/v1/packages', body)).status, 409);
  });

  it('are compared to the last digit: 2^53 and 2^53 + 1 differ', async () => {
    const publish = async (number: string): Promise<number> => {
      const answer = await acme.post('/api/v1/packages', {
        ...textPackage('acme', { name: 'acme/numbers', version: '1.0.0' }),
        protos: { 'n.proto': 'syntax = "proto3"; package acme.numbers; message In { int64 n = 1; }' },
        nodes: [
          {
            name: 'Echo',
            input: 'acme.numbers.In',
            output: 'acme.numbers.In',
            sample: parseExactJson(`{"n":${number}}`),
          },
        ],
      });
      return answer.status;
    };
    assert.equal(await publish('9007199254740992'), 201);
    assert.equal(await publish('9007199254740993'), 409);
    assert.equal(await publish('9007199254740992'), 200);
  });
});
