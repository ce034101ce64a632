import assert from 'node:assert/strict';
import { asFlow } from './as-flow.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { readCases } from './read-cases.ts';
import { completedRun, SCRIPTED_EXECUTION_ID } from './scripted-server.ts';

const call: ConformanceCase = {
  name: 'gives the output',
  answers: [{ json: { text: 'back' } }],
  steps: [{ input: { text: 'there' }, gives: { text: 'back' } }],
};

/** The body of a base64 response. */
function bodyOf(each: ConformanceCase | undefined): unknown {
  return JSON.parse(Buffer.from(each!.answers![0]!.base64!, 'base64').toString());
}

describe('a node case rewritten for a flow', () => {
  it('calls the flow with the same messages, which responds with a run', () => {
    const flow = asFlow(call);
    assert.deepEqual(flow!.steps, [{ alias: 'echo-twice', ...call.steps[0] }]);
    assert.deepEqual(bodyOf(flow), completedRun({ text: 'back' }));
  });

  it('expects the input within the invocation of the flow', () => {
    const path = '/invocations/v1/nodes/acme/echo/1.0.0/Echo';
    const flow = asFlow({ ...call, requests: [{ path, body: {}, keyOf: 'new' }], logs: [path, 'POST'] });
    const invoke = '/invocations/v1/flows/invoke';
    assert.deepEqual(flow!.requests, [{ path: invoke, flowInput: {}, keyOf: 'new' }]);
    assert.deepEqual(flow!.logs, [invoke, 'POST']);
  });

  it('leaves error responses, lost connections and invalid messages unchanged', () => {
    const answers = [{ status: 503, json: {} }, { end: 'reset' as const }, { text: '<html>' }];
    assert.deepEqual(asFlow({ ...call, answers })!.answers, answers);
  });

  it('shifts cuts and pieces to positions within the output', () => {
    const [answer] = asFlow({
      ...call,
      answers: [{ status: 201, json: { a: 1 }, cut: 3, pieces: [2, 4] }],
    })!.answers!;
    const before = `{"accepted":true,"execution_id":"${SCRIPTED_EXECUTION_ID}","result":{"success":true,"output":`;
    assert.equal(answer!.status, 201);
    assert.equal(answer!.cut, before.length + 3);
    assert.deepEqual(answer!.pieces, [before.length + 2, 4]);
  });

  it('returns the response of the run along with the value', () => {
    const flow = asFlow({ ...call, steps: [{ raw: true, answer: { status: 200, body: { text: 'back' } } }] });
    assert.deepEqual(flow!.steps[0]!.answer, { status: 200, body: completedRun({ text: 'back' }) });
  });

  it('uses its declared replacements', () => {
    const own = { steps: [{ alias: 'echo-twice' }], requests: 2 };
    const flow = asFlow({ ...call, asFlow: own });
    assert.deepEqual(flow!.steps, own.steps);
    assert.equal(flow!.requests, 2);
    assert.deepEqual(bodyOf(flow), completedRun({ text: 'back' }));
  });

  it('does not exist if no flow has the messages, the case excludes it, or no step calls a node', () => {
    assert.equal(asFlow({ ...call, steps: [{ alias: 'echo-free' }] }), undefined);
    assert.equal(asFlow({ ...call, asFlow: false }), undefined);
    assert.equal(asFlow({ ...call, steps: [{ alias: 'echo-twice' }, { do: 'start' }] }), undefined);
    assert.equal(asFlow({ ...call, env: { SVC_API_KEY: 'a' } }), undefined);
  });

  it('exists for all cases except streams, members and messages that only nodes have, and the deepest nesting', () => {
    const left = readCases()
      .filter(({ needs, withoutNodes }) => needs.includes('nodes') && withoutNodes === undefined)
      .filter(({ needs }) => !needs.some((feature) => ['streams', 'split', 'live'].includes(feature)))
      .filter(({ env }) => env === undefined)
      .map(({ group, name }) => `${group}: ${name}`);
    assert.deepEqual(left, [
      'names: a member whose name is a keyword',
      'names: a member whose name is not ASCII',
      'protojson: a free-form message as input and output',
      'protojson: an empty free-form message as input and output',
      'unary: reads messages nested sixty levels deep',
    ]);
  });
});
