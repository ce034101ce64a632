import assert from 'node:assert/strict';
import { endOf } from '../support/execution-records.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Caller, eachService } from '../support/running-service.ts';
import { step, twoSteps } from '../support/step-package.ts';

const tooExpensive = 'the expression is too expensive to evaluate on this input: move such work into a node';
const chain = (times: number): string => ' | replace("a", "aa")'.repeat(times);
const celChain = (times: number): string => '.replace("a", "aa")'.repeat(times);

eachService('the work budget of an edge', (start) => {
  let flows: FlowService;
  let acme: Caller;
  before(async () => {
    flows = await startFlowService(start);
    acme = flows.acme;
    flows.behaviours.set('a', () => ({ text: 'a' }));
  });
  after(() => flows.stop());

  const preview = async (adapter: object, target: unknown = 'acme.steps.v1.Step'): Promise<unknown> => {
    const { status, body } = await acme.post('/api/adapters/preview', {
      dst_msg_name: target,
      sources: [{ edge_id: 'e', msg_name: 'acme.steps.v1.Step', sample: { text: 'a' } }],
      adapter,
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  /** What the events say of the edge, and the error of the run. */
  const run = async (edge: object): Promise<{ edge: unknown[]; error: unknown }> => {
    const graph = await flows.compile(twoSteps({ edges: [{ id: 'e', from: 'a', to: 'b', ...edge }] }));
    const { body } = await flows.invoke(graph);
    const id = String(body.execution_id);
    await endOf(acme, id);
    const read = await acme.get(`/invocations/v1/executions/${id}/events`);
    const { events } = read.body as { events: Record<string, unknown>[] };
    const evaluated = events.find(({ type }) => type === 'EDGE_EVALUATED');
    return {
      edge: [evaluated?.condition_pass, evaluated?.adapter_applied, evaluated?.error],
      error: events.at(-1)?.error,
    };
  };

  it('fails a chain that doubles a text in previews, adapters and conditions', async () => {
    const detail = `field "text": ${tooExpensive}`;
    assert.deepEqual(await preview({ text: `text${chain(30)}` }), { error: `adapter: ${detail}` });

    const adapter = `edge "a" → "b": EvaluateEdge adapter: ${detail}`;
    const failed = await run({ condition: 'text == "a"', adapter: { text: `text${chain(30)}` } });
    assert.deepEqual(failed, { error: adapter, edge: [true, false, adapter] });

    const condition = `edge "a" → "b": EvaluateEdge condition: ${tooExpensive}`;
    const refused = await run({ condition: `text${celChain(30)} != ""` });
    assert.deepEqual(refused, { error: condition, edge: [false, false, condition] });
  });

  it('permits a chain just below the limit', async () => {
    const { output } = (await preview({ text: `text${chain(16)}` })) as { output: { text: string } };
    assert.equal(output.text.length, 2 ** 16);
    const ran = await run({ adapter: { text: `text${chain(16)} | length | cast("string")` } });
    assert.deepEqual(ran, { error: undefined, edge: [true, true, undefined] });
    const held = await run({ condition: `text${celChain(16)} != ""` });
    assert.deepEqual(held, { error: undefined, edge: [true, false, undefined] });
  });

  it('is shared by the condition and the adapter', async () => {
    const half = {
      condition: `text${celChain(16)} != ""`,
      adapter: { text: `text${chain(16)} | slice(0, 1)` },
    };
    assert.deepEqual((await run(half)).edge, [true, true, undefined]);
    const both = await run({ ...half, condition: `text${celChain(17)} == text${celChain(17)}` });
    assert.match(String(both.error), /EvaluateEdge adapter: field "text": the expression is too expensive/);
  });

  it('is renewed for each step, mocked or not', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const edges = ids.slice(1).map((to, index) => ({
      from: ids[index],
      to,
      adapter: { text: `text${chain(17)} | slice(0, 1)` },
    }));
    for (const mock of [undefined, { output: { text: 'a' } }]) {
      const nodes = ids.map((id) => step(id, mock && { mock }));
      const graph = await flows.compile({ name: 'Long', entry: 'a', terminal: 'e', nodes, edges });
      const { body } = await flows.invoke(graph);
      assert.equal((await endOf(acme, String(body.execution_id))).status, 'COMPLETED');
    }
  });

  it('is shared by all edges of a step', async () => {
    const edges = ['b', 'c', 'd'].map((to) => ({
      id: to,
      from: 'a',
      to,
      condition: `text${celChain(17)} != ""`,
    }));
    const nodes = ['a', 'b', 'c', 'd'].map((id) => step(id));
    const graph = await flows.compile({ name: 'Wide', entry: 'a', terminal: 'b', nodes, edges });
    const { body } = await flows.invoke(graph);
    const id = String(body.execution_id);
    await endOf(acme, id);
    const read = await acme.get(`/invocations/v1/executions/${id}/events`);
    const { events } = read.body as { events: Record<string, unknown>[] };
    assert.equal(events.at(-1)?.error, `edge "a" → "d": EvaluateEdge condition: ${tooExpensive}`);
  });

  it('applies to constants that are evaluated at compile time', async () => {
    const document = twoSteps({ edges: [{ from: 'a', to: 'b', adapter: { text: `"a"${chain(30)}` } }] });
    const { status, body } = await acme.post('/api/v1/graphs/compile', document);
    assert.equal(status, 400);
    assert.match(
      JSON.stringify(body),
      /EvaluateEdge adapter: field .{1,3}text.{1,3}: the expression is too expensive/,
    );
  });

  it('is shared by all fields of an adapter', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `field_${index}`);
    const wide = { message_name: 'Wide', fields: Object.fromEntries(names.map((name) => [name, 'string'])) };
    const mapped = (count: number) =>
      preview(Object.fromEntries(names.slice(0, count).map((name) => [name, `text${chain(11)}`])), wide);
    const { output } = (await mapped(100)) as { output: object };
    assert.equal(Object.keys(output).length, 100);
    const { error } = (await mapped(200)) as { error: string };
    assert.match(error, /^adapter: field "field_\d+": the expression is too expensive/);
  });
});
