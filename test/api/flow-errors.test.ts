import assert from 'node:assert/strict';
import { status as grpc } from '@grpc/grpc-js';
import { endOf } from '../support/execution-records.ts';
import { eventually } from '../support/eventually.ts';
import { itSlow } from '../support/fast-run.ts';
import { compileFlow, type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import type { Caller } from '../support/running-service.ts';
import { step, stepPackage, twoSteps } from '../support/step-package.ts';

/** Adapter expressions with their exact errors (docs/flows.md). */
const refusedAtCompileTime: [expression: string, detail: string, target?: string][] = [
  [
    'count | mult',
    'transform TRANSFORM_MULT failed: multiply needs a multiplier value, e.g. multiply(2)',
    'count',
  ],
  ['count | add', 'transform TRANSFORM_ADD failed: add needs a value to add, e.g. add(5)', 'count'],
  ['count | mult("x")', 'transform TRANSFORM_MULT failed: multiply: "x" is not a number', 'count'],
  ['count | add("x")', 'transform TRANSFORM_ADD failed: add: "x" is not a number', 'count'],
  ['text | mult(2)', 'transform TRANSFORM_MULT failed: cannot convert string to float'],
  [
    'text | suffix',
    'transform TRANSFORM_SUFFIX failed: suffix needs a string to append, e.g. suffix(" world")',
  ],
  [
    'text | prefix',
    'transform TRANSFORM_PREFIX failed: prefix needs a string to prepend, e.g. prefix("hi ")',
  ],
  ['text | cel', 'transform TRANSFORM_CEL failed: cel requires 1 or 2 args (expression[, srcField])'],
  ['text | replace("a")', 'transform TRANSFORM_REPLACE failed: replace requires 2 args (from, to)'],
  ['text | replace("", "b")', 'transform TRANSFORM_REPLACE failed: replace: `from` is required'],
  [
    'text | regex_replace("a")',
    'transform TRANSFORM_REGEX_REPLACE failed: regex_replace requires 2 args (pattern, replacement)',
  ],
  [
    'text | regex_replace("", "b")',
    'transform TRANSFORM_REGEX_REPLACE failed: regex_replace: `pattern` is required',
  ],
  [
    'text | regex_replace("(", "b")',
    'transform TRANSFORM_REGEX_REPLACE failed: regex_replace: invalid pattern: error parsing regexp: missing closing ): `(`',
  ],
  ['text | slice(1)', 'transform TRANSFORM_SLICE failed: slice requires 2 args (start, end)'],
  ['text | split("a")', 'transform TRANSFORM_SPLIT failed: split requires 2 args (sep, index)'],
  ['text | split("", 0)', 'transform TRANSFORM_SPLIT failed: split: `separator` is required'],
  ['text | default', 'transform TRANSFORM_DEFAULT failed: default requires 1 arg'],
  ['text | cast', 'transform TRANSFORM_CAST failed: cast requires 1 arg (target kind)'],
  ['text | cast("foo")', 'transform TRANSFORM_CAST failed: cast: unsupported target kind "foo"'],
  ['words | cast("int64")', 'transform TRANSFORM_CAST failed: cast: cannot convert list to int64', 'count'],
  ['cel("text +")', "CEL parse error: 1:6: syntax error at '+'"],
  [
    'cel("nope")',
    "CEL compilation failed: 1:1: undeclared reference to 'nope': use one of text, count, words, part, parts, color, a_b",
  ],
];

const failsAtRunTime: [expression: string, detail: string, target?: string][] = [
  ['text | split(",", 2)', 'transform TRANSFORM_SPLIT failed: split: index 2 out of range'],
  ['text | cast("int64")', 'transform TRANSFORM_CAST failed: cast: "a,b" is not a number', 'count'],
  ['cel("words[1]")', 'CEL evaluation failed: index out of range: 1'],
  ['cel("1 / count")', 'CEL evaluation failed: division by zero', 'count'],
];

const succeeds: [expression: string, expected: string][] = [
  ['text | split(",", 1) | upper', 'B'],
  ['text | slice(0, 1) | prefix("<") | suffix(">")', '<a>'],
  ['text | regex_replace("[a-z]", "x") | replace(",", ";")', 'x;x'],
  ['cel("words[0] + text")', 'wa,b'],
];

describe('the errors of a flow run', () => {
  let flows: FlowService;
  let acme: Caller;
  before(async () => {
    flows = await startFlowService();
    acme = flows.acme;
    // Returns its input.
    flows.behaviours.set('a', (given) => given);
    flows.behaviours.set('b', (given) => given);
  });
  after(() => flows.stop());

  const mapped = (expression: string, target = 'text') =>
    twoSteps({ edges: [{ from: 'a', to: 'b', adapter: { [target]: expression } }] });
  const input = { text: 'a,b', words: ['w'] };
  const failureOf = async (document: object, body: object = { input }): Promise<string> => {
    const answer = await flows.invoke(await flows.compile(document), body);
    assert.equal(answer.status, 202);
    assert.equal(answer.body.result.success, false, JSON.stringify(answer.body));
    assert.equal(answer.body.result.error_message, answer.body.error_message);
    return answer.body.error_message as string;
  };

  for (const [expression, detail, target] of refusedAtCompileTime) {
    it(`are reported by the compiler for ${expression}`, async () => {
      const { status, body } = await acme.post('/api/v1/graphs/compile', mapped(expression, target));
      assert.deepEqual([status, body.error], [400, 'compile_failed']);
      assert.equal(body.diagnostics[0].message, `edge "a" → "b": EvaluateEdge adapter: ${detail}`);
    });
  }

  for (const [expression, detail, target] of failsAtRunTime) {
    it(`are reported at run time for ${expression}`, async () => {
      const text = `edge "a" → "b": EvaluateEdge adapter: ${detail}`;
      const graphId = await flows.compile(mapped(expression, target));
      const { body } = await flows.invoke(graphId, { input });
      assert.equal(body.error_message, text);
      const events = await acme.get(`/invocations/v1/executions/${body.execution_id}/events`);
      const [edge, end] = (events.body.events as Record<string, unknown>[]).slice(-2);
      assert.deepEqual([edge?.type, edge?.error], ['EDGE_EVALUATED', text]);
      assert.deepEqual([end?.type, end?.error], ['FLOW_FAILED', text]);
    });
  }

  for (const [expression, expected] of succeeds) {
    it(`do not include ${expression}`, async () => {
      const { body } = await flows.invoke(await flows.compile(mapped(expression)), { input });
      assert.equal(body.result.output?.text, expected, JSON.stringify(body));
    });
  }

  it('include a condition that cannot be evaluated', async () => {
    const document = twoSteps({ edges: [{ from: 'a', to: 'b', condition: 'words[1] == text' }] });
    assert.equal(
      await failureOf(document),
      'edge "a" → "b": EvaluateEdge condition: CEL evaluation failed: index out of range: 1',
    );
  });

  it('include a run in which no path reached the terminal node', async () => {
    const document = twoSteps({ edges: [{ from: 'a', to: 'b', condition: 'text == "go"' }] });
    assert.equal(await failureOf(document), 'graph produced no terminal result');
    const { body } = await flows.invoke(await flows.compile(document), { input: { text: 'go' } });
    assert.equal(body.result.success, true);
  });

  itSlow('include the 1001st step', async () => {
    flows.behaviours.set('again', ({ count = '0' }) => ({ count: String(Number(count) + 1) }));
    const patient = { timeout_seconds: 240 };
    const loop = (steps: number) => ({
      name: 'Loop',
      entry: 'again',
      terminal: 'again',
      nodes: [step('again')],
      edges: [{ from: 'again', to: 'again', condition: `count < ${steps}` }],
    });
    const { body } = await flows.invoke(await flows.compile(loop(1_000)), patient);
    assert.equal(body.result.output?.count, '1000', JSON.stringify(body));
    assert.equal(await failureOf(loop(1_001), patient), 'exceeded max steps (1000)');
  }).timeout(300_000);

  it('include a failed node before a join with on_error: abort, but not with continue', async () => {
    flows.behaviours.set('broken', (_input, answer) => {
      answer.say({ case: 'error', value: { message: 'out of paper' } });
      answer.end();
      return undefined;
    });
    const joined = (onError: string) => ({
      name: 'Joined',
      entry: 'a',
      terminal: 'd',
      nodes: [
        step('a'),
        step('broken'),
        step('c'),
        step('d', { join: { policy: 'all', on_error: onError } }),
      ],
      edges: [
        { from: 'a', to: 'broken' },
        { from: 'a', to: 'c' },
        { from: 'broken', to: 'd' },
        { from: 'c', to: 'd' },
      ],
    });
    assert.equal(await failureOf(joined('abort')), 'downstream join d failed: out of paper');
    const { body } = await flows.invoke(await flows.compile(joined('continue')), { input });
    assert.equal(body.result.success, true, JSON.stringify(body));
  });

  it('exclude a node that fails after a join with policy any has run', async () => {
    let overtaken = (): void => undefined;
    flows.behaviours.set('slow', (_input, answer) => {
      overtaken = () => {
        answer.say({ case: 'error', value: { message: 'too late' } });
        answer.end();
      };
      return undefined;
    });
    let finish = (): void => undefined;
    flows.behaviours.set('after', (_input, answer) => {
      overtaken();
      finish = () => {
        answer.say({ case: 'output', value: new Uint8Array() });
        answer.end();
      };
      return undefined;
    });
    const graphId = await flows.compile({
      name: 'Overtaken',
      entry: 'a',
      terminal: 'after',
      nodes: [step('a'), step('fast'), step('slow'), step('d', { join: { policy: 'any' } }), step('after')],
      edges: [
        { from: 'a', to: 'slow' },
        { from: 'a', to: 'fast' },
        { from: 'slow', to: 'd' },
        { from: 'fast', to: 'd' },
        { from: 'd', to: 'after' },
      ],
    });
    const { body: started } = await flows.invoke(graphId, { input, wait: false });
    const failures = async (): Promise<unknown[]> => {
      const query = 'event_type=NODE_FAILED';
      const { body } = await acme.get(`/invocations/v1/executions/${started.execution_id}/events?${query}`);
      return body.events.map(({ node_id: node, error }: Record<string, string>) => [node, error]);
    };
    await eventually(async () => ((await failures()).length > 0 ? true : undefined));
    finish();
    const record = await endOf(acme, started.execution_id as string);
    assert.equal(record.status, 'COMPLETED', JSON.stringify(record));
    assert.deepEqual(await failures(), [['slow', 'too late']]);
  });

  itSlow('include a container that aborts the call and a message that is too large to send', async () => {
    flows.behaviours.set('broken_off', (_input, answer) => {
      answer.fail(grpc.INTERNAL, 'out of memory');
      return undefined;
    });
    const breaking = twoSteps({
      nodes: [step('a'), step('broken_off')],
      edges: [{ from: 'a', to: 'broken_off' }],
      terminal: 'broken_off',
    });
    assert.equal(await failureOf(breaking), 'calling node: INTERNAL: out of memory');
    const large = { input: { text: 'x'.repeat(11_000_000) }, timeout_seconds: 60 };
    const merging = twoSteps({
      nodes: [step('a'), step('b'), step('c'), step('d', { join: { policy: 'all' } })],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
        { from: 'b', to: 'd' },
        { from: 'c', to: 'd' },
      ],
      terminal: 'd',
    });
    assert.match(
      await failureOf(merging, large),
      /^sending to node: the call has \d+ bytes, at most \d+ can be sent$/,
    );
    // The inputs are never merged, so no call fails, and the next join has nothing to multiply.
    const page = await flows.acme.get('/invocations/v1/executions?limit=1');
    const [{ execution_id: id }] = page.body.executions as [{ execution_id: string }];
    const failed = await flows.acme.get(`/invocations/v1/executions/${id}/events?event_type=NODE_FAILED`);
    assert.deepEqual(failed.body.events, []);
  }).timeout(180_000);

  it('include an unreachable container', async () => {
    const away = await flows.service.tenant('away');
    const { body: published } = await away.post('/api/v1/packages', {
      ...stepPackage({ name: 'away/steps' }),
      endpoint: 'grpc://127.0.0.1:1',
    });
    assert.equal(published.name, 'away/steps');
    const compiled = await away.post('/api/v1/graphs/compile', {
      ...twoSteps(),
      nodes: ['a', 'b'].map((id) => step(id, { package: 'away/steps' })),
    });
    const { body } = await away.post('/invocations/v1/flows/invoke', {
      graph_id: compiled.body.graph_id,
      input: {},
      wait: true,
    });
    assert.equal(
      body.error_message,
      'could not connect to node "a" (Step of away/steps@1.0.0 at grpc://127.0.0.1:1)',
    );

    const graphId = compiled.body.graph_id as string;
    const minted = await away.post('/api/v1/api-keys', { name: 'public', graph_ids: [graphId] });
    const page = flows.service.withKey(away.tenant, minted.body.key as string);
    const shown = await invokeFlow(page, graphId, { input: { text: 'another' }, wait: true });
    assert.equal(shown.body.error_message, 'could not connect to node "a" (Step of away/steps@1.0.0)');
    const path = `/invocations/v1/executions/${shown.body.execution_id as string}`;
    const read = await Promise.all([page.get(path), page.get(`${path}/events`)]);
    assert.ok(!JSON.stringify(read.map(({ body }) => body as unknown)).includes('127.0.0.1'));
  });

  it('reflect a changed deployment immediately', async () => {
    const moved = await flows.tenant('moved');
    const nodes = ['a', 'b'].map((id) => step(id, { package: 'moved/steps' }));
    const graphId = await compileFlow(moved, twoSteps({ nodes }));
    const run = async (text: string): Promise<unknown> => {
      const { body } = await invokeFlow(moved, graphId, { input: { text }, wait: true });
      return body.error_message ?? body.execution_status;
    };
    const deployment = '/api/v1/packages/moved/steps/1.0.0/deployment';
    const served = await run('1');
    await moved.delete(deployment);
    assert.equal(await run('2'), 'node not found or not yet deployed: "a" (Step of moved/steps@1.0.0)');
    await moved.put(deployment, { endpoint: flows.container.endpoint });
    assert.equal(await run('3'), served);
    await moved.put(deployment, { endpoint: 'grpc://127.0.0.1:1' });
    assert.match(String(await run('4')), /^could not connect to node "a"/);
  });
});
