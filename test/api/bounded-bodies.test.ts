import assert from 'node:assert/strict';
import { limits } from '../../specs/limits.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { openRaw } from '../support/raw-connection.ts';
import type { Caller } from '../support/running-service.ts';
import { step, twoSteps } from '../support/step-package.ts';
import { assertTurn, watchTurns } from '../support/turn-watch.ts';

const invokePath = '/invocations/v1/flows/invoke';
const nodePath = '/invocations/v1/nodes/acme/steps/1.0.0/Step';

/** Processor time of one turn of the event loop that no request may exceed, milliseconds. */
const maxTurnMs = 100;

describe('request body validation', () => {
  let flows: FlowService;
  let acme: Caller;
  let appKey: string;
  let graph: string;

  before(async function () {
    this.timeout(60_000);
    flows = await startFlowService();
    acme = flows.acme;
    graph = await flows.compile(twoSteps());
    const fields = { name: 'shop', graph_ids: [graph], rate_rps: 1_000, rate_burst: 10_000 };
    const minted = await acme.post('/api/v1/api-keys', fields);
    appKey = minted.body.key as string;
  });
  after(() => flows.stop());

  const headOf = (path: string, key: string, length: number | 'chunked'): string =>
    `POST ${path} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${key}\r\n` +
    (length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`) +
    '\r\nConnection: close\r\n\r\n';

  /** Sends a body and returns the status and the text of the answer. */
  async function send(path: string, key: string, body: Buffer): Promise<[number, string]> {
    const connection = await openRaw(flows.service.url);
    connection.send(headOf(path, key, body.length));
    connection.send(body);
    const text = await connection.receives(/^HTTP\/1.1 \d+[^]*\r\n\r\n[^]+/);
    connection.socket.destroy();
    return [Number(text.slice(9, 12)), text.slice(text.indexOf('\r\n\r\n') + 4)];
  }

  const inEnvelope = (input: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`{"graph_id":"${graph}","input":`), input, Buffer.from('}')]);
  const filled = (size: number, pattern: string): Buffer => Buffer.alloc(size, pattern);

  const inputs: Record<string, { input: () => Buffer; text: RegExp }> = {
    '10 million levels': {
      input: () => filled(10_000_000, '['),
      text: /invalid request body: the JSON nests deeper than 32[01] levels/,
    },
    '16.5 MB of empty objects': {
      input: () => Buffer.concat([Buffer.from('['), filled(16_500_000, '{},'), Buffer.from('1]')]),
      text: /invalid request body: the JSON has more than 1000000 values/,
    },
    '8 MB of digits': {
      input: () => filled(8_000_000, '7'),
      text: /invalid request body: a number is longer than 1000 characters/,
    },
    'a key of 8 MB': {
      input: () => Buffer.concat([Buffer.from('{"'), filled(8_000_000, 'k'), Buffer.from('":1}')]),
      text: /invalid request body: a key is longer than 65536 bytes/,
    },
  };

  for (const [title, { input, text }] of Object.entries(inputs)) {
    itSlow(`refuses ${title} in the input of a flow, even four at once with an app key`, async () => {
      const body = inEnvelope(input());
      const turns = watchTurns();
      const answers = await Promise.all([1, 2, 3, 4].map(() => send(invokePath, appKey, body)));
      const longest = turns.stop();
      for (const [status, answer] of answers) {
        assert.equal(status, 400);
        assert.match(answer, text);
      }
      assertTurn(longest, maxTurnMs);
    });

    it(`refuses ${title} in the input of a node`, async () => {
      const body = input();
      const turns = watchTurns();
      const [status, answer] = await send(nodePath, acme.key, body);
      const longest = turns.stop();
      assert.equal(status, 400);
      assert.match(answer, text);
      assertTurn(longest, maxTurnMs);
    });
  }

  itSlow('accepts the largest payload without stalling', async () => {
    const payload = Buffer.alloc(limits.inputBytes, 7).toString('base64');
    const flow = Buffer.from(JSON.stringify({ graph_id: graph, payload }));
    const node = Buffer.from(JSON.stringify({ node_id: '01J9Z3K8Q4W5E6R7T8Y9V0B1N2', payload }));
    const turns = watchTurns();
    const [flowStatus] = await send(invokePath, appKey, flow);
    const [nodeStatus] = await send('/invocations/v1/nodes/invoke', acme.key, node);
    const longest = turns.stop();
    assert.deepEqual([flowStatus, nodeStatus], [202, 404]);
    assertTurn(longest, maxTurnMs);
  }).timeout(30_000);

  it('reports the size of the input, not of the enclosing body', async () => {
    const refuse = async (path: string, length: number): Promise<unknown> => {
      const connection = await openRaw(flows.service.url);
      connection.send(headOf(path, acme.key, length));
      const text = await connection.closed;
      const { error, max_bytes, actual_bytes } = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as {
        error: string;
        max_bytes: number;
        actual_bytes?: number;
      };
      return { error, max_bytes, actual_bytes };
    };
    const refusal = { error: 'payload_too_large', max_bytes: limits.inputBytes };
    const over = limits.inputBytes + 1;
    assert.deepEqual(await refuse(nodePath, over), { ...refusal, actual_bytes: over });
    for (const path of [invokePath, `${invokePath}/stream`, '/invocations/v1/nodes/invoke']) {
      assert.deepEqual(await refuse(path, 30_000_000), { ...refusal, actual_bytes: undefined }, path);
    }
  });

  const ones = Array.from({ length: 500_000 }, () => '1').join();
  const fewer = Array.from({ length: 24_000 }, () => '1').join();
  const keys = Array.from({ length: 24_000 }, (_, index) => `"key-${index}":1`).join();
  const junk: Record<string, string> = {
    letters: 'a'.repeat(1_048_576),
    'half a million values': `{"nodes":[${ones}]}`,
    '24,000 wrong nodes': `{"nodes":[${fewer}]}`,
    '24,000 wrong edges': `{"edges":[${fewer}]}`,
    '24,000 wrong members': `{"members":[${fewer}]}`,
    '24,000 unknown keys': `{${keys}}`,
    '24,000 wrong files': `{"protos":{${keys}}}`,
    levels: '['.repeat(1_048_576),
    digits: '1'.repeat(1_048_576),
    quotes: `{"name":"${'\\"'.repeat(524_000)}"}`,
  };
  const routes = ['/api/v1/graphs/compile', '/api/v1/packages', '/api/v1/instances', '/api/v1/clients'];
  for (const [title, text] of Object.entries(junk)) {
    itSlow(`refuses ${title} at management routes`, async () => {
      for (const route of [...routes, '/api/adapters/preview', '/api/v1/api-keys']) {
        const turns = watchTurns();
        const [status, answer] = await send(route, acme.key, Buffer.from(text));
        const longest = turns.stop();
        assert.equal(status, 400, `${route}: ${answer.slice(0, 200)}`);
        assert.ok(answer.length < 40_000, `${route}: ${answer.length} characters`);
        assertTurn(longest, maxTurnMs, `${route}: a turn`);
      }
    });
  }

  itSlow('accepts a message with the maximum number of values, and refuses one more', async () => {
    // Of an object, its list, and the values in it.
    const list = (values: number): Buffer => Buffer.from(`{"nothing":[${'0,'.repeat(values - 3)}0]}`);
    const [status, answer] = await send(nodePath, acme.key, list(limits.messageValues));
    assert.deepEqual([status, answer.includes('unknown field')], [400, true]);
    const [over, refusal] = await send(nodePath, acme.key, list(limits.messageValues + 1));
    assert.equal(over, 400);
    assert.match(refusal, /the JSON has more than 1000000 values/);
  }).timeout(30_000);

  it('accepts as many values beside the input of a flow as in other bodies', async () => {
    const envelope = (values: number): Buffer =>
      Buffer.from(
        `{"graph_id":"${graph}","input":{"text":"${values}"},"other":[${'0,'.repeat(values - 4)}0]}`,
      );
    assert.equal((await send(invokePath, appKey, envelope(limits.managementValues)))[0], 202);
    const [status, answer] = await send(invokePath, appKey, envelope(limits.managementValues + 1));
    assert.equal(status, 400);
    assert.match(answer, /the JSON has more than 25000 values beside the input/);
  });

  describe('refuses a request before its body arrives', () => {
    /** Sends a head and only the start of a body. Returns the response. */
    async function begin(path: string, key: string, body: string, length = 1_000): Promise<[number, string]> {
      const connection = await openRaw(flows.service.url);
      connection.send(headOf(path, key, length) + body);
      const text = await connection.receives(/^HTTP\/1.1 \d+[^]*\r\n\r\n[^]+/);
      connection.socket.destroy();
      return [Number(text.slice(9, 12)), text.slice(text.indexOf('\r\n\r\n') + 4)];
    }

    it('without a valid key', async () => {
      assert.equal((await begin(invokePath, '0'.repeat(64), ''))[0], 401);
    });

    it('for a graph that the app key may not invoke, as soon as the body names it', async () => {
      const [status, answer] = await begin(invokePath, appKey, '{"graph_id": "g_other", "input": {"text": "');
      assert.equal(status, 403);
      assert.match(answer, /"error":"app_key_graph_denied"/);
    });

    it('when the daily invocation quota is used up', async () => {
      const used = await flows.tenant('used', { dailyInvocations: 1 });
      const path = '/invocations/v1/nodes/used/steps/1.0.0/Step';
      assert.equal((await used.post(path, { text: 'a' })).status, 200);
      for (const route of [path, '/invocations/v1/nodes/invoke', '/invocations/v1/flows/warm']) {
        const [status, answer] = await begin(route, used.key, '');
        assert.equal(status, 429, route);
        assert.match(answer, /daily invocations quota exceeded \(cap 1\)/);
      }
    });

    it('with a Content-Length over the limit', async () => {
      const lengths: [string, number][] = [
        [invokePath, limits.invocationBodyBytes],
        [nodePath, limits.inputBytes],
        ['/api/v1/packages', limits.packageBodyBytes],
        ['/api/v1/clients', limits.managementBodyBytes],
      ];
      for (const [path, length] of lengths) {
        const [status, answer] = await begin(path, acme.key, '', length + 1);
        assert.equal(status, 413, path);
        if (path.startsWith('/invocations/')) assert.match(answer, /"max_bytes":16777216,/);
      }
    });

    it('for an unknown node', async () => {
      assert.equal((await begin('/invocations/v1/nodes/acme/steps/1.0.0/None', acme.key, ''))[0], 404);
    });
  });

  describe('refuses a duplicate key', () => {
    const id = '0'.repeat(32);
    for (const [path, members] of [
      [invokePath, '"graph_id":"a","input":{}'],
      [`/invocations/v1/executions/${id}/fork`, '"input":{}'],
      [`/invocations/v1/flows/${id}/resume`, '"pause_id":"a"'],
      ['/invocations/v1/flows/warm', '"graph_id":"a"'],
      ['/invocations/v1/nodes/invoke', '"node_id":"01J9Z3K8Q4W5E6R7T8Y9V0B1N2","payload":""'],
    ] as const) {
      it(`only in the outermost object, at ${path.replace(id, '{id}')}`, async () => {
        for (const [twice, key] of [
          ['"unknown":1,"unknown":1', 'unknown'],
          ['"wait":true,"\\u0077ait":false', 'wait'],
        ] as const) {
          const [status, answer] = await send(path, acme.key, Buffer.from(`{${members},${twice}}`));
          assert.equal(status, 400, answer);
          assert.ok(answer.includes(`the key \\"${key}\\" occurs twice`), answer);
        }
        const [, answer] = await send(path, acme.key, Buffer.from(`{${members},"a":{"b":1,"b":1}}`));
        assert.ok(!answer.includes('occurs twice'), answer);
      });
    }
  });

  describe('invalid JSON in the input of a flow', () => {
    it('is refused without creating a run or consuming quota', async () => {
      const caller = await flows.tenant('counted', { dailyInvocations: 1, dailyExecutions: 1 });
      const document = { name: 'One', entry: 'a', terminal: 'a', edges: [] };
      const compiled = await caller.post('/api/v1/graphs/compile', {
        ...document,
        nodes: [step('a', { package: 'counted/steps' })],
      });
      const graphId = compiled.body.graph_id as string;
      for (const input of ['{"text": }', '{"text":"a"', '{"text":"\u0001"}', 'nul', '1 2', '{"a":1]', '\\']) {
        const { status, body } = await caller.post(invokePath, `{"graph_id":"${graphId}","input":${input}}`);
        assert.equal(status, 400, input);
        assert.equal(body.accepted, false);
        assert.match(body.error_message, /^invalid request body: (?:input: )?\S/);
      }
      const bytes = Buffer.from(`{"graph_id":"${graphId}","input":{"text":"?"}}`);
      bytes[bytes.indexOf('?')] = 0xff;
      assert.deepEqual((await send(invokePath, caller.key, bytes))[0], 400);
      assert.deepEqual((await caller.get('/invocations/v1/executions')).body.executions, []);
      const ran = await caller.post(invokePath, { graph_id: graphId, input: { text: 'a' } });
      assert.equal(ran.status, 202, JSON.stringify(ran.body));
    });

    it('is not parsed when the quota is used up', async () => {
      const caller = await flows.tenant('empty', { dailyInvocations: 0 });
      const compiled = await caller.post('/api/v1/graphs/compile', {
        ...{ name: 'One', entry: 'a', terminal: 'a', edges: [] },
        nodes: [step('a', { package: 'empty/steps' })],
      });
      const graphId = compiled.body.graph_id as string;
      const { status, body } = await caller.post(invokePath, `{"graph_id":"${graphId}","input":{"a":1]}`);
      assert.deepEqual([status, body.error], [429, 'quota_exceeded']);
    });
  });
});
