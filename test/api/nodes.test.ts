import assert from 'node:assert/strict';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FixtureContainer, startFixtureContainer } from '../support/fixture-containers.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';

const tokenize = '/invocations/v1/nodes/acme/text/1.0.0/Tokenize';

eachService('node calls over HTTP', (start) => {
  let service: RunningService;
  let acme: Caller;
  let other: Caller;
  let text: FixtureContainer;
  let orders: FixtureContainer;
  let generic: FixtureContainer;
  const ulids = new Map<string, string>();

  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    other = await service.tenant('other');
    text = await startFixtureContainer('acme-text');
    orders = await startFixtureContainer('acme-orders');
    generic = await startFixtureContainer('acme-generic');
    for (const [name, endpoint] of [
      ['acme-text', text.endpoint],
      ['acme-orders', orders.endpoint],
      ['acme-generic', generic.endpoint],
    ] as const) {
      const body = await readPackageFolder(
        new URL(`../../fixtures/packages/${name}`, import.meta.url).pathname,
      );
      const answer = await acme.post('/api/v1/packages', { ...body, endpoint });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      for (const node of answer.body.nodes as { name: string; node_ulid: string }[])
        ulids.set(node.name, node.node_ulid);
    }
  });
  after(async () => {
    await service.stop();
    await text.stop();
    await orders.stop();
    await generic.stop();
  });

  it('calls a node by path with a plain JSON body', async () => {
    const { status, headers, body } = await acme.post(tokenize, { text: 'Hello, world' });
    assert.equal(status, 200);
    assert.deepEqual(
      body.tokens.map((token: { text: string }) => token.text),
      ['Hello', 'world'],
    );
    assert.match(headers.get('x-execution-id') ?? '', /^[0-9a-f]{32}$/);
  });

  it('calls a node by its registry id', async () => {
    const { status, body } = await acme.post(`/invocations/v1/nodes/${ulids.get('Tokenize')!}`, {
      text: 'one two',
    });
    assert.equal(status, 200);
    assert.equal(body.tokens.length, 2);
  });

  it('does not take a path for an id, even if the node was called by its path before', async () => {
    const path = 'acme/text/1.0.0/Tokenize';
    assert.equal((await acme.post(tokenize, { text: 'one' })).status, 200);
    const escaped = await acme.post(`/invocations/v1/nodes/${encodeURIComponent(path)}`, { text: 'one' });
    assert.deepEqual(
      [escaped.status, escaped.body],
      [404, { error_message: 'node not found or not yet deployed' }],
    );
    const binary = await acme.post('/invocations/v1/nodes/invoke', { node_id: path, payload: '' });
    assert.deepEqual(
      [binary.status, binary.body],
      [404, { success: false, error_message: 'node not found or not yet deployed' }],
    );
  });

  it('lets another tenant call a public node', async () => {
    assert.equal((await other.post(tokenize, { text: 'hi' })).status, 200);
  });

  it('records the execution with its node, visible only to its own tenant', async () => {
    const { headers } = await acme.post(tokenize, { text: 'recorded' });
    const id = headers.get('x-execution-id')!;
    const { status, body } = await acme.get(`/invocations/v1/executions/${id}`);
    assert.equal(status, 200);
    assert.equal(body.execution_id, id);
    assert.equal(body.status, 'COMPLETED');
    assert.equal(body.node_id, ulids.get('Tokenize'));
    assert.equal(body.node_fqn, 'acme/text/1.0.0/Tokenize');
    assert.equal(body.graph_id, undefined);
    assert.ok(body.completed_at >= body.created_at);
    const foreign = await other.get(`/invocations/v1/executions/${id}`);
    assert.deepEqual([foreign.status, foreign.body], [404, { error: 'execution not found' }]);
  });

  it('answers 400 to an unknown field, naming the input type', async () => {
    const { status, body } = await acme.post(tokenize, { txt: 'x' });
    assert.equal(status, 400);
    assert.match(body.error_message, /^invalid JSON for acme\.text\.v1\.TokenizeRequest: .*txt/);
    assert.equal(body.execution_id, undefined);
  });

  it('answers 400 to a body that is not JSON', async () => {
    const { status, body } = await acme.post(tokenize, '{"text":');
    assert.equal(status, 400);
    assert.match(body.error_message, /^invalid JSON for acme\.text\.v1\.TokenizeRequest: /);
  });

  it('answers 404 for a node, a version and a package that do not exist', async () => {
    const node = await acme.post('/invocations/v1/nodes/acme/text/1.0.0/Nothing', {});
    assert.deepEqual(
      [node.status, node.body],
      [
        404,
        {
          error_message:
            'node not found: acme/text 1.0.0 has no node "Nothing": it has Tokenize, WordStatistics, ExtractKeywords, SplitSentences',
        },
      ],
    );
    for (const path of [
      'acme/text/9.9.9/Tokenize',
      'acme/unknown/1.0.0/Tokenize',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    ]) {
      const answer = await acme.post(`/invocations/v1/nodes/${path}`, {});
      assert.deepEqual(
        [answer.status, answer.body],
        [404, { error_message: 'node not found or not yet deployed' }],
      );
    }
  });

  it('answers 404 once a version is undeployed', async () => {
    const path = '/api/v1/packages/acme/text/1.0.0/deployment';
    await acme.delete(path);
    const gone = await acme.post(tokenize, { text: 'x' });
    assert.deepEqual(
      [gone.status, gone.body],
      [404, { error_message: 'node not found or not yet deployed' }],
    );
    await acme.put(path, { endpoint: text.endpoint });
    assert.equal((await acme.post(tokenize, { text: 'x' })).status, 200);
  });

  it('answers 422 with the error of the node, and records the failure', async () => {
    const { status, headers, body } = await acme.post('/invocations/v1/nodes/acme/orders/1.0.0/PriceOrder', {
      lines: [{ sku: 'NO-SUCH-SKU', quantity: 1 }],
    });
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(body.error_message, /NO-SUCH-SKU/);
    const record = await acme.get(`/invocations/v1/executions/${headers.get('x-execution-id')!}`);
    assert.equal(record.body.status, 'FAILED');
  });

  it('refuses generic nodes with a hint', async () => {
    const name = [...ulids.keys()].find((one) => one === 'Mock' || one === 'Validate')!;
    const { status, body } = await acme.post(`/invocations/v1/nodes/acme/generic/1.0.0/${name}`, {});
    assert.equal(status, 400);
    assert.match(body.error_message, /is generic.*Instance/);
  });

  it('refuses NDJSON for a unary node', async () => {
    const { status, body } = await acme.post(tokenize, '{"text":"a"}\n', {
      'content-type': 'application/x-ndjson',
    });
    assert.equal(status, 400);
    assert.match(body.error_message, /unary/);
  });

  it('answers 502 when the container is unreachable', async () => {
    await acme.put('/api/v1/packages/acme/orders/1.0.0/deployment', { endpoint: 'grpc://127.0.0.1:1' });
    const { status, body } = await acme.post('/invocations/v1/nodes/acme/orders/1.0.0/PriceOrder', {
      lines: [],
    });
    assert.equal(status, 502);
    assert.equal(body.error_message, 'could not connect to node');
    await acme.put('/api/v1/packages/acme/orders/1.0.0/deployment', { endpoint: orders.endpoint });
  });

  itSlow(
    'accepts an input of exactly 16 MiB, and refuses one byte more with both sizes in the error',
    async () => {
      const limit = 16_777_216;
      const padded = (bytes: number): string => `${' '.repeat(bytes - 12)}{"text":"x"}`;
      const fits = await acme.post(tokenize, padded(limit));
      assert.equal(fits.status, 200, JSON.stringify(fits.body).slice(0, 300));
      const over = await acme.post(tokenize, padded(limit + 1));
      assert.equal(over.status, 413);
      assert.equal(over.body.error, 'payload_too_large');
      assert.equal(over.body.max_bytes, limit);
      assert.equal(over.body.actual_bytes, limit + 1);
    },
  ).timeout(180_000);

  it('does not report a generic node as unary', async () => {
    const generic = '/invocations/v1/nodes/acme/generic/1.0.0/Mock';
    const { status, body } = await acme.post(generic, '{}\n', { 'content-type': 'application/x-ndjson' });
    assert.equal(status, 400);
    assert.match(body.error_message, /is generic/);
  });

  describe('the binary variant', () => {
    const invoke = '/invocations/v1/nodes/invoke';
    // TokenizeRequest{text: "a b"}: field 1, length-delimited.
    const payload = Buffer.from([0x0a, 3, 0x61, 0x20, 0x62]).toString('base64');

    it('accepts and returns serialized messages', async () => {
      const { status, body } = await acme.post(invoke, { node_id: ulids.get('Tokenize'), payload });
      assert.equal(status, 200);
      assert.equal(body.success, true);
      assert.ok(Buffer.from(body.payload, 'base64').includes('a'));
    });

    it('refuses pipeline nodes', async () => {
      const { status, body } = await acme.post(invoke, { node_id: ulids.get('SplitSentences'), payload: '' });
      assert.equal(status, 400);
      assert.deepEqual(body, {
        success: false,
        error_message: 'node "SplitSentences" is a pipeline node: call it with JSON, by its path or its id',
      });
    });

    it('refuses an undeclared field number and a conflicting wire type', async () => {
      for (const bytes of [
        [0xf8, 0x07, 1],
        [0x08, 1],
      ]) {
        const wrong = Buffer.from(bytes).toString('base64');
        const { status, body } = await acme.post(invoke, { node_id: ulids.get('Tokenize'), payload: wrong });
        assert.equal(status, 400);
        assert.equal(body.success, false);
        assert.match(body.error_message, /^payload does not match the node's current input schema: /);
      }
    });

    it('refuses malformed bodies with its own envelope', async () => {
      for (const malformed of ['', '{', '[]', '{"payload":""}', '{"node_id":"x","payload":7}']) {
        const { status, body } = await acme.post(invoke, malformed);
        assert.deepEqual([status, body.success], [400, false], malformed);
        assert.match(body.error_message, /^invalid request body: /);
      }
    });

    it('reports what is wrong with a field', async () => {
      const problems: [object, string][] = [
        [{ payload }, 'node_id: is required'],
        [{ node_id: 7 }, 'node_id: must be a string: put the number in quotes'],
        [{ node_id: 'x', payload: 7 }, 'payload: must be standard base64 with padding'],
        [{ node_id: 'x', payload: 'a-_b' }, 'payload: must be standard base64 with padding'],
        [{ node_id: 'x', payload: 'abc' }, 'payload: must be standard base64 with padding'],
      ];
      for (const [sent, problem] of problems) {
        const { body } = await acme.post(invoke, sent);
        assert.deepEqual(body, { success: false, error_message: `invalid request body: ${problem}` });
      }
    });

    it('answers 404 with its own envelope', async () => {
      const { status, body } = await acme.post(invoke, { node_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', payload });
      assert.deepEqual(
        [status, body],
        [404, { success: false, error_message: 'node not found or not yet deployed' }],
      );
    });
  });
});
