import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { LargeNumber } from '../../specs/large-number.ts';
import { clockErrorMs } from '../support/clock-error.ts';
import { endOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Caller, eachService } from '../support/running-service.ts';
import type { Answer } from '../support/scripted-container.ts';
import { step, twoSteps } from '../support/step-package.ts';
import { until } from '../support/until.ts';

const path = '/invocations/v1/flows/invoke';
const hex = /^[0-9a-f]{32}$/;

eachService('an invocation of a flow', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let graphId: string;
  before(async () => {
    flows = await startFlowService(start);
    acme = flows.acme;
    graphId = await flows.compile(twoSteps());
  });
  after(() => flows.stop());

  it('is accepted immediately and then runs', async () => {
    const { status, body } = await acme.post(path, { graph_id: graphId, input: { text: 'x' } });
    assert.equal(status, 202);
    assert.match(body.execution_id, hex);
    assert.deepEqual(body, { accepted: true, execution_id: body.execution_id });
    const record = await endOf(acme, body.execution_id);
    assert.equal(record.status, 'COMPLETED');
    assert.equal(record.graph_id, graphId);
  });

  it('with wait returns the result', async () => {
    const began = Date.now();
    const { status, headers, body } = await flows.invoke(graphId, { input: { text: 'y', count: '7' } });
    assert.equal(status, 202);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    const { completed_at: completedAt } = body.result;
    assert.deepEqual(body, {
      accepted: true,
      execution_id: body.execution_id,
      result: { success: true, output: { text: 'yab', count: '7' }, completed_at: completedAt },
    });
    const errorMs = clockErrorMs(flows.service.db);
    assert.ok(completedAt >= began - errorMs && completedAt <= Date.now() + errorMs);
  });

  it('preserves integers beyond 2^53', async () => {
    const text = `{"graph_id":"${graphId}","wait":true,"input":{"count":9007199254740993}}`;
    const { body } = await acme.post(path, text);
    assert.equal(body.result.output.count, '9007199254740993');
  });

  it('with a payload returns a payload', async () => {
    // Field 1, "z".
    const { body } = await flows.invoke(graphId, { payload: Buffer.from([10, 1, 0x7a]).toString('base64') });
    const expected = Buffer.from([10, 3, ...Buffer.from('zab')]).toString('base64');
    assert.deepEqual(Object.keys(body.result), ['success', 'payload', 'completed_at']);
    assert.equal(body.result.payload, expected);
  });

  it('with both input and payload uses the input', async () => {
    const { body } = await flows.invoke(graphId, { input: { text: 'i' }, payload: 'CgF6' });
    assert.equal(body.result.output.text, 'iab');
  });

  it('reports the error of a failed node in the result and at the top level', async () => {
    const failing = await flows.compile(
      twoSteps({ nodes: [step('a'), step('fails')], terminal: 'fails', edges: [{ from: 'a', to: 'fails' }] }),
    );
    flows.behaviours.set('fails', (_input, answer) => {
      answer.say({ case: 'error', value: { message: 'no such region: "XX"' } });
      answer.end();
      return undefined;
    });
    const { status, body } = await flows.invoke(failing);
    assert.equal(status, 202);
    assert.deepEqual(body, {
      accepted: true,
      execution_id: body.execution_id,
      result: {
        success: false,
        error_message: 'no such region: "XX"',
        completed_at: body.result.completed_at,
      },
      error_message: 'no such region: "XX"',
    });
    assert.equal((await endOf(acme, body.execution_id)).status, 'FAILED');
  });

  itSlow('returns an error when the wait times out, and the run continues', async () => {
    const slow = await flows.compile({
      name: 'Slow',
      entry: 'slow',
      terminal: 'slow',
      nodes: [step('slow')],
      edges: [],
    });
    const called = Promise.withResolvers<Answer>();
    flows.behaviours.set('slow', (_input, answer) => {
      called.resolve(answer);
      return undefined;
    });
    const began = performance.now();
    const { status, body } = await flows.invoke(slow, { timeout_seconds: 1 });
    const waited = performance.now() - began;
    assert.equal(status, 202);
    assert.deepEqual(body, {
      accepted: true,
      execution_id: body.execution_id,
      error_message: 'timeout waiting for flow result (1s)',
      execution_status: 'RUNNING',
    });
    // By default it would wait half a minute.
    assert.ok(waited >= 990 && waited < 25_000, `it waited ${waited} ms`);
    const answer = await called.promise;
    answer.say({ case: 'output', value: new Uint8Array() });
    answer.end();
    assert.equal((await endOf(acme, body.execution_id)).status, 'COMPLETED');
  });

  it('that waits does not block others', async () => {
    const answers: Answer[] = [];
    flows.behaviours.set('idles', (_input, answer) => {
      answers.push(answer);
      return undefined;
    });
    const one = { name: 'Idles', entry: 'idles', terminal: 'idles', nodes: [step('idles')], edges: [] };
    const idling = await flows.compile(one);
    const waiting = Array.from({ length: 60 }, (_, index) =>
      flows.invoke(idling, { input: { text: String(index) }, timeout_seconds: 60 }),
    );
    await until(() => answers.length === waiting.length);
    // More than the connections of the database.
    const { body } = await flows.invoke(graphId, { input: { text: 'beside' } });
    assert.equal(body.result.success, true);
    for (const answer of answers) {
      answer.say({ case: 'output', value: new Uint8Array() });
      answer.end();
    }
    for (const ended of await Promise.all(waiting)) assert.equal(ended.body.result.success, true);
  });

  itSlow('that waits during a shutdown reports a timeout, and the run continues', async () => {
    const ending = await startFlowService(start);
    ending.behaviours.set('hangs', () => undefined);
    const one = { name: 'Hangs', entry: 'hangs', terminal: 'hangs', nodes: [step('hangs')], edges: [] };
    const hanging = await ending.compile(one);
    const began = performance.now();
    const answer = ending.invoke(hanging, { timeout_seconds: 600 });
    await until(() => ending.container.requests.length > 0);
    const drained = ending.service.app.drain(100);
    const { status, body } = await answer;
    const passed = (performance.now() - began) / 1_000;
    assert.deepEqual([status, body.accepted, body.execution_status], [202, true, 'RUNNING']);
    assert.match(body.execution_id as string, hex);
    const timeout = /^timeout waiting for flow result \((\d+)s\)$/.exec(body.error_message as string);
    assert.ok(timeout && Number(timeout[1]) <= passed, `${body.error_message} after ${passed} s`);
    await drained;
    await ending.stop();
  });

  it('with an input that does not match its type is accepted, and the run fails', async () => {
    const { status, body } = await flows.invoke(graphId, { input: { texts: 'x' } });
    assert.equal(status, 202);
    assert.match(body.error_message, /^invalid JSON for acme\.steps\.v1\.Step: .*texts/);
    assert.equal(body.result.error_message, body.error_message);
    const ordinal = await flows.invoke(graphId, { input: { color: 9 } });
    assert.match(
      ordinal.body.error_message,
      /^invalid value for acme\.steps\.v1\.Step: field color carries enum ordinal 9, which names no declared value/,
    );
    const bytes = await flows.invoke(graphId, { payload: Buffer.from([0x78, 1]).toString('base64') });
    assert.match(bytes.body.error_message, /^payload does not match the node's current input schema: /);
  });

  it('names the mocked nodes of an artifact, with or without wait, even when the run fails', async () => {
    const mocked = await flows.compile(
      twoSteps({ nodes: [step('a', { mock: { output: { text: 'fixture' } } }), step('b')] }),
    );
    const failing = await flows.compile(
      twoSteps({ nodes: [step('a', { mock: { error: 'as configured' } }), step('b')] }),
    );
    const waited = await flows.invoke(mocked);
    assert.deepEqual(waited.body.mocked_nodes, ['a']);
    assert.equal(waited.body.result.output.text, 'fixtureb');
    const started = await flows.invoke(mocked, { wait: false, input: { text: 'other' } });
    assert.deepEqual(Object.keys(started.body), ['accepted', 'execution_id', 'mocked_nodes']);
    const failed = await flows.invoke(failing);
    assert.deepEqual([failed.body.mocked_nodes, failed.body.error_message], [['a'], 'as configured']);
    assert.equal((await endOf(acme, waited.body.execution_id)).mocked_node_count, 1);
    assert.equal('mocked_nodes' in (await flows.invoke(graphId)).body, false);
    const large = { output: { count: new LargeNumber('9007199254740993') } };
    const exact = await flows.compile(twoSteps({ nodes: [step('a'), step('b', { mock: large })] }));
    assert.deepEqual((await flows.invoke(exact)).body.result.output, { count: '9007199254740993' });
  });

  it('passes only the named config profile to the nodes', async () => {
    const seen: string[] = [];
    const configured = await flows.compile(twoSteps({ config_profiles: { eu: { region: 'EU' } } }));
    const configs = (): string[] =>
      flows.container.requests.slice(-2).map(({ context }) => context?.configJson ?? '');
    await flows.invoke(configured, { config_id: 'eu' });
    seen.push(...configs());
    assert.deepEqual(
      seen.map((text) => JSON.parse(text) as unknown),
      [{ region: 'EU' }, { region: 'EU' }],
    );
    const { status, body } = await flows.invoke(configured, { config_id: 'us' });
    assert.deepEqual([status, body.error], [404, 'not_found']);
    assert.match(body.message, /^config profile "us" not found/);
  });

  it('of an unknown flow or a flow of another tenant returns 404', async () => {
    const other = await flows.service.tenant('stranger');
    const unknown = await flows.invoke('nothing');
    const foreign = await other.post(path, { graph_id: graphId, input: {} });
    for (const { status, body } of [unknown, foreign]) {
      assert.deepEqual([status, body], [404, { error: 'not_found', message: 'flow not found' }]);
    }
  });

  it('without graph_id returns 500', async () => {
    const { status, body } = await acme.post(path, { input: {} });
    assert.deepEqual([status, body], [500, { accepted: false, error_message: 'graph_id is required' }]);
  });

  it('that is not valid JSON returns 400', async () => {
    const { status, body } = await acme.post(path, '{"graph_id":');
    assert.deepEqual(
      [status, body],
      [400, { accepted: false, error_message: 'invalid request body: Unexpected end of JSON input' }],
    );
  });

  itSlow('accepts a payload of 16 MiB and refuses one byte more', async () => {
    const limit = 16_777_216;
    const one = await flows.compile({
      name: 'One',
      entry: 'one',
      terminal: 'one',
      nodes: [step('one')],
      edges: [],
    });
    flows.behaviours.set('one', ({ text }) => ({ text: String((text as string).length) }));
    // Tag, four bytes of length, text.
    const message = (bytes: number): Buffer => {
      const length = bytes - 5;
      const head = [
        10,
        (length & 127) | 128,
        ((length >> 7) & 127) | 128,
        ((length >> 14) & 127) | 128,
        length >> 21,
      ];
      return Buffer.concat([Buffer.from(head), Buffer.alloc(length, 'x')]);
    };
    const fits = await flows.invoke(one, {
      payload: message(limit).toString('base64'),
      timeout_seconds: 240,
    });
    assert.equal(fits.status, 202, JSON.stringify(fits.body));
    assert.equal(Buffer.from(fits.body.result.payload, 'base64').subarray(2).toString(), String(limit - 5));
    const over = await flows.invoke(one, { payload: message(limit + 1).toString('base64') });
    assert.deepEqual(
      [over.status, over.body],
      [
        413,
        {
          error: 'payload_too_large',
          message: `the input exceeds the limit of ${limit} bytes`,
          max_bytes: limit,
          actual_bytes: limit + 1,
        },
      ],
    );
  }).timeout(300_000);

  it('requires invoke scope', async () => {
    const reader = await flows.service.tenant('reader', { scopes: ['read', 'write'] });
    const { status, body } = await reader.post(path, { graph_id: graphId, input: {} });
    assert.deepEqual([status, body], [403, { error: "forbidden: token lacks 'invoke' scope" }]);
  });

  it('can be cancelled only while it runs', async () => {
    const hanging = await flows.compile({
      name: 'Hangs',
      entry: 'hangs',
      terminal: 'hangs',
      nodes: [step('hangs')],
      edges: [],
    });
    flows.behaviours.set('hangs', () => undefined);
    const started = await flows.invoke(hanging, { wait: false });
    const waiting = flows.invoke(hanging);
    const cancel = `/invocations/v1/executions/${started.body.execution_id}/cancel`;
    await delay(50);
    const { status, body } = await acme.post(cancel);
    const record = await acme.get(cancel.replace('/cancel', ''));
    assert.deepEqual(body, record.body);
    assert.match(body.latest_checkpoint_id, /^[0-9a-f]{32}-\d+$/);
    assert.deepEqual([status, body.status, body.execution_id], [200, 'CANCELLED', started.body.execution_id]);
    const waited = await waiting;
    assert.equal(waited.body.execution_id, started.body.execution_id);
    assert.deepEqual([waited.body.result.success, waited.body.error_message], [false, 'execution cancelled']);
    const again = await acme.post(cancel);
    assert.deepEqual([again.status, again.body.error], [409, 'EXECUTION_NOT_CANCELLABLE']);
    const stranger = await flows.service.tenant('onlooker');
    for (const answer of [
      await stranger.post(cancel),
      await acme.post(`/invocations/v1/executions/${'0'.repeat(32)}/cancel`),
    ]) {
      assert.deepEqual([answer.status, answer.body], [404, { error: 'execution not found' }]);
    }
  });
});
