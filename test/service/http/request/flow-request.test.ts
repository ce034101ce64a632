import assert from 'node:assert/strict';
import { ApiError } from '../../../../service/errors/api-error.ts';
import {
  flowBody,
  type FlowRequest,
  readFlowRequest,
} from '../../../../service/http/request/flow-request.ts';
import { scanJson } from '../../../../service/http/request/read-json.ts';
import { itSlow } from '../../../support/fast-run.ts';

const limit = 16_777_216;

function read(body: unknown, headers: Record<string, string> = {}): FlowRequest {
  return readBytes(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), headers);
}

function readBytes(bytes: Buffer, headers: Record<string, string> = {}): FlowRequest {
  return readFlowRequest(scanJson(bytes, { family: 'invocation', ...flowBody }), headers);
}

/** The text of an input that is JSON. */
function textOf({ input }: FlowRequest): string {
  return input.form === 'json' ? input.text.toString() : assert.fail('the input is not JSON');
}

function refusal(body: unknown): [number, Record<string, unknown>] {
  try {
    read(body);
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.body as Record<string, unknown>];
    throw error;
  }
  return assert.fail('it was not refused');
}

const hashOf = (body: unknown, headers?: Record<string, string>): string =>
  read(body, headers).idempotency.hash;

describe('a request to invoke a flow', () => {
  it('does not wait by default, and has a default timeout of 30 seconds', () => {
    const plain = read({ graph_id: 'g', input: {} });
    assert.deepEqual([plain.wait, plain.timeoutSeconds], [false, 30]);
    const waiting = read({ graph_id: 'g', input: {}, wait: true, timeout_seconds: 5 });
    assert.deepEqual([waiting.wait, waiting.timeoutSeconds], [true, 5]);
  });

  it('keeps the text of the input as sent', () => {
    const text = '{ "n":9007199254740993,\n"f": -0.0 }';
    assert.equal(textOf(read(`{"graph_id":"g","input": ${text} }`)), text);
  });

  it('prefers input to payload', () => {
    assert.equal(read({ graph_id: 'g', input: {}, payload: 'AAEC' }).input.form, 'json');
    const { input } = read({ graph_id: 'g', payload: 'AAEC' });
    assert.deepEqual(input.form === 'bytes' && [...input.bytes], [0, 1, 2]);
  });

  it('accepts any JSON value as input, for messages such as google.protobuf.Value', () => {
    for (const text of ['null', 'true', '-1.5e3', '"text"', '[1, {"a": []}]']) {
      assert.equal(textOf(read(`{"graph_id":"g","input": ${text} }`)), text);
    }
  });

  it('uses the payload if the input is null', () => {
    assert.equal(read({ graph_id: 'g', input: null, payload: 'AAEC' }).input.form, 'bytes');
  });

  it('may contain an empty message in either form', () => {
    assert.equal(textOf(read({ graph_id: 'g', input: {} })), '{}');
    const { input } = read({ graph_id: 'g', payload: '' });
    assert.equal(input.form === 'bytes' && input.bytes.length, 0);
  });

  it('prefers headers to fields and ignores empty ones', () => {
    const body = { graph_id: 'g', input: {}, debug_session_id: 'field', idempotency_key: 'field' };
    assert.equal(read(body).debugSessionId, 'field');
    assert.equal(read(body, { 'x-debug-session-id': 'header' }).debugSessionId, 'header');
    assert.equal(read(body, { 'x-debug-session-id': '' }).debugSessionId, 'field');
    const header = { 'idempotency-key': 'header' };
    assert.equal(hashOf(body, header), hashOf({ graph_id: 'h', input: {}, idempotency_key: 'header' }));
    assert.notEqual(hashOf(body, header), hashOf(body));
    assert.equal(hashOf(body, { 'idempotency-key': '' }), hashOf(body));
  });

  it('is identified by its key alone', () => {
    const key = { idempotency_key: 'k' };
    assert.equal(
      hashOf({ graph_id: 'g', input: {}, ...key }),
      hashOf({ graph_id: 'h', payload: 'AA==', ...key }),
    );
    assert.equal(read({ graph_id: 'g', input: {}, ...key }).idempotency.kind, 'key');
    const empty = read({ graph_id: 'g', input: {}, idempotency_key: '' });
    assert.equal(empty.idempotency.kind, 'fingerprint');
  });

  it('is identified without a key by its exact flow, config and input', () => {
    const one = { graph_id: 'g', input: { a: 1 } };
    assert.equal(hashOf({ ...one, wait: true, timeout_seconds: 3 }), hashOf(one));
    const others = [
      { graph_id: 'h', input: { a: 1 } },
      { graph_id: 'g', input: { a: 2 } },
      { graph_id: 'g', input: { a: 1 }, config_id: 'c' },
      { graph_id: 'g', payload: Buffer.from('{"a":1}').toString('base64') },
      '{"graph_id":"g","input":{"a": 1}}',
      // Moving characters from one part to the next must change the fingerprint.
      { graph_id: 'g1', input: { a: 1 } },
      { graph_id: 'g', input: { a: 1 }, config_id: '1' },
    ];
    const hashes = others.map((other) => hashOf(other));
    assert.equal(new Set([hashOf(one), ...hashes]).size, others.length + 1);
    assert.equal(hashOf({ ...one, config_id: '' }), hashOf(one));
  });

  it('never matches the fingerprint of another request with its key', () => {
    const fingerprint = hashOf({ graph_id: 'g', input: {} });
    assert.notEqual(hashOf({ graph_id: 'g', input: {}, idempotency_key: fingerprint }), fingerprint);
  });

  itSlow('accepts up to 16 MiB of input as JSON and as bytes', () => {
    const json = (bytes: number): string => `{"graph_id":"g","input":{"a":"${'x'.repeat(bytes - 8)}"}}`;
    assert.equal(read(json(limit)).input.form, 'json');
    const tooLarge = {
      error: 'payload_too_large',
      message: `the input exceeds the limit of ${limit} bytes`,
      max_bytes: limit,
      actual_bytes: limit + 1,
    };
    assert.deepEqual(refusal(json(limit + 1)), [413, tooLarge]);
    const payload = (bytes: number) => ({ graph_id: 'g', payload: Buffer.alloc(bytes).toString('base64') });
    assert.equal(read(payload(limit)).input.form, 'bytes');
    assert.deepEqual(refusal(payload(limit + 1)), [413, tooLarge]);
  });

  it('requires a graph_id', () => {
    const missing = [500, { accepted: false, error_message: 'graph_id is required' }];
    assert.deepEqual(refusal({ input: {} }), missing);
    assert.deepEqual(refusal({ graph_id: '', input: {} }), missing);
  });

  it('reports the problems of an invalid body', () => {
    const cases: [unknown, RegExp][] = [
      ['', /^invalid request body: it is empty, a JSON object is required$/],
      ['{"graph_id": ', /^invalid request body: Unexpected end of JSON input$/],
      ['[]', /^invalid request body: .*object/],
      ['null', /^invalid request body: .*object/],
      [{ graph_id: 'g' }, /^invalid request body: one of input and payload is required$/],
      [
        { graph_id: 7, input: {} },
        /^invalid request body: graph_id: must be a string: put the number in quotes$/,
      ],
      [
        { graph_id: 'g', payload: '%%' },
        /^invalid request body: payload: must be standard base64 with padding$/,
      ],
      [
        { graph_id: 'g', payload: 'AA' },
        /^invalid request body: payload: must be standard base64 with padding$/,
      ],
      [{ graph_id: 'g', input: {}, wait: 'yes' }, /^invalid request body: wait: must be true or false$/],
      [{ graph_id: 'g', input: {}, timeout_seconds: 0 }, /^invalid request body: timeout_seconds: .*1/],
      [
        { graph_id: 'g', input: {}, timeout_seconds: 86_401 },
        /^invalid request body: timeout_seconds: .*86400/,
      ],
      [
        { graph_id: 'g', input: {}, timeout_seconds: 1.5 },
        /^invalid request body: timeout_seconds: must be a whole number$/,
      ],
    ];
    for (const [body, text] of cases) {
      const [status, { accepted, error_message: message }] = refusal(body);
      assert.deepEqual([status, accepted], [400, false]);
      assert.match(String(message), text);
    }
    const bytes = Buffer.of(0x7b, 0xff, 0x7d);
    assert.throws(() => readBytes(bytes), /it is not valid UTF-8/);
    for (const seconds of [1, 86_400]) {
      assert.equal(read({ graph_id: 'g', input: {}, timeout_seconds: seconds }).timeoutSeconds, seconds);
    }
  });
});
