import assert from 'node:assert/strict';
import { status as grpc } from '@grpc/grpc-js';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';

const callStep = '/invocations/v1/nodes/acme/steps/1.0.0/Step';

/** Failures of a container that is reachable. */
describe('the failure of a single node call', () => {
  let flows: FlowService;
  before(async () => {
    flows = await startFlowService();
  });
  after(() => flows.stop());
  // A direct call has no placement.
  afterEach(() => flows.behaviours.delete(''));

  it('is a 400 with the execution id for an undeclared enum number', async () => {
    const { status, headers, body } = await flows.acme.post(callStep, { color: 9 });
    assert.equal(status, 400);
    assert.deepEqual(body, {
      execution_id: headers.get('x-execution-id'),
      error_message: body.error_message,
    });
    assert.match(String(body.execution_id), /^[0-9a-f]{32}$/);
    assert.match(
      body.error_message as string,
      /^invalid value for acme\.steps\.v1\.Step: field color carries enum ordinal 9, which names no declared value/,
    );
  });

  it("is a 502 with the container's message when it aborts the call", async () => {
    flows.behaviours.set('', (_input, answer) => {
      answer.fail(grpc.INTERNAL, 'out of memory');
      return undefined;
    });
    const { status, body } = await flows.acme.post(callStep, {});
    assert.deepEqual([status, body], [502, { error_message: 'calling node: INTERNAL: out of memory' }]);
  });

  itSlow("is a 502 after the caller's timeout", async () => {
    flows.behaviours.set('', () => undefined);
    const { status, body } = await flows.acme.post(callStep, {}, { 'x-timeout-seconds': '1' });
    assert.equal(status, 502);
    // What is left of the second when the call begins.
    assert.match(body.error_message, /^calling node: no answer within (?:\d{1,3}|1000) ms$/);
    const refused = await flows.acme.post(callStep, {}, { 'x-timeout-seconds': '301' });
    assert.deepEqual(
      [refused.status, refused.body.error_message],
      [400, 'header X-Timeout-Seconds: must be a whole number of seconds from 1 to 300'],
    );
  });

  it('is a 404 that names the latest version for a call of "latest"', async () => {
    const { status, body } = await flows.acme.post(callStep.replace('1.0.0', 'latest'), {});
    assert.deepEqual(
      [status, body],
      [
        404,
        {
          error_message:
            'node not found: a call names an exact version, which "latest" is not: the latest one is 1.0.0',
        },
      ],
    );
  });

  it('is a 502 with its own error code for an unreadable output, in JSON and binary calls', async () => {
    flows.behaviours.set('', (_input, answer) => {
      answer.say({ case: 'output', value: Uint8Array.of(0x0a, 5, 0x61) });
      answer.end();
      return undefined;
    });
    const { body: version } = await flows.acme.get('/api/v1/packages/acme/steps/1.0.0');
    const { node_ulid } = version.nodes.find(({ name }: { name: string }) => name === 'Step');
    for (const answer of [
      await flows.acme.post(callStep, {}),
      await flows.acme.post('/invocations/v1/nodes/invoke', { node_id: node_ulid }),
    ]) {
      assert.deepEqual([answer.status, answer.envelope?.code], [502, 'output_invalid']);
      assert.match(
        answer.body.error_message,
        /^calling node: cannot read the bytes as acme\.steps\.v1\.Step: /,
      );
      const id = answer.headers.get('x-execution-id');
      const { body: record } = await flows.acme.get(`/invocations/v1/executions/${id}`);
      assert.deepEqual([record.status, record.failure_kind], ['FAILED', 'OUTPUT_INVALID']);
    }
  });

  it('is a 502 when its container ends the call without a response', async () => {
    flows.behaviours.set('', (_input, answer) => {
      answer.end();
      return undefined;
    });
    const { status, body } = await flows.acme.post(callStep, {});
    assert.equal(status, 502);
    assert.equal(
      body.error_message,
      'calling node: the container ended the call without output, error or pause',
    );
  });

  itSlow('is a 502 for a message that is too large to send', async () => {
    const numbers = `
      syntax = "proto3";
      package acme.numbers.v1;
      message Numbers { repeated double values = 1; string text = 2; }
    `;
    const ports = { input: 'acme.numbers.v1.Numbers', output: 'acme.numbers.v1.Numbers' };
    const published = await flows.acme.post('/api/v1/packages', {
      name: 'acme/numbers',
      version: '1.0.0',
      protos: { 'acme/numbers/v1/numbers.proto': numbers },
      endpoint: flows.container.endpoint,
      nodes: [{ name: 'Sum', ...ports }],
    });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    // Two characters of JSON are eight bytes of the message, and a body has at most a million values.
    const { status, body } = await flows.acme.post(
      '/invocations/v1/nodes/acme/numbers/1.0.0/Sum',
      `{"values":[${'0,'.repeat(999_000)}0],"text":"${'x'.repeat(14_700_000)}"}`,
    );
    assert.equal(status, 502);
    assert.match(
      body.error_message as string,
      /^sending to node: the call has \d+ bytes, at most \d+ can be sent$/,
    );
  }).timeout(180_000);
});
