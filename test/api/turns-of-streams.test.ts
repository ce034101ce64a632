import assert from 'node:assert/strict';
import { openEvents } from '../support/event-stream.ts';
import { idOf, recordOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { step } from '../support/step-package.ts';
import { assertTurn, watchTurns } from '../support/turn-watch.ts';

/** Processor time of the main thread in which nothing else is answered. */
const maxTurnMs = 100;

/** Too expensive for many of them in one turn: a step with 60 words takes about 5 ms. */
const expensive = 'words.all(a, words.all(b, a + b != "zz"))';

describe('streams', () => {
  let flows: FlowService;
  before(async () => {
    flows = await startFlowService();
  });
  after(() => flows.stop());

  /** A chain of mocked nodes. The first one has many output frames, and the others answer each with the same output. */
  const compile = (
    name: string,
    {
      frames,
      nodes,
      output,
      condition,
    }: { frames: number; nodes: number; output: object; condition?: string },
  ): Promise<string> => {
    const ids = Array.from({ length: nodes }, (_, n) => `n${n}`);
    return flows.compile({
      name,
      mode: 'pipeline',
      entry: 'first',
      terminal: ids.at(-1),
      nodes: [
        step('first', { node_name: 'Flow', mock: { frames: Array.from({ length: frames }, () => output) } }),
        ...ids.map((id) => step(id, { mock: { output } })),
      ],
      edges: ids.map((to, n) => ({
        from: ids[n - 1] ?? 'first',
        to,
        ...(condition !== undefined && { condition }),
      })),
    });
  };
  const open = (graph_id: string, body: object = {}): ReturnType<typeof openEvents> =>
    openEvents(`${flows.service.url}/invocations/v1/flows/invoke/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${flows.acme.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ graph_id, input: {}, ...body }),
    });

  it('do not block the event loop while frames pass through mocked nodes', async () => {
    const output = { words: Array.from({ length: 60 }, (_, n) => `w${n}`) };
    const graph = await compile('mocked', { frames: 10, nodes: 15, output, condition: expensive });
    const watch = watchTurns();
    const frames = await (await open(graph)).rest();
    assertTurn(watch.stop(), maxTurnMs);
    assert.deepEqual([frames.length, frames.at(-1)?.success], [11, true]);
  });

  it('time out even if no node waits', async () => {
    const output = { words: Array.from({ length: 60 }, (_, n) => `w${n}`) };
    const graph = await compile('endless', { frames: 200, nodes: 30, output, condition: expensive });
    const stream = await open(graph, { timeout_seconds: 1 });
    const last = (await stream.rest()).at(-1);
    assert.deepEqual([last?.is_final, last?.error], [true, 'timeout waiting for pipeline result']);
    const { status, failure_kind } = await recordOf(flows.acme, idOf(stream));
    assert.deepEqual([status, failure_kind], ['FAILED', 'NODE_TIMEOUT']);
  });

  itSlow('are recorded in rows of limited size', async () => {
    const graph = await compile('rows', { frames: 200, nodes: 40, output: { text: 'x'.repeat(1_700) } });
    const watch = watchTurns();
    const stream = await open(graph);
    const frames = await stream.rest();
    assertTurn(watch.stop(), maxTurnMs);
    assert.equal(frames.at(-1)?.success, true);
    const executionId = idOf(stream);
    assert.equal((await recordOf(flows.acme, executionId)).status, 'COMPLETED');
    const { knex } = flows.service.db;
    const rows = await knex<{ execution_id: string; body: string }>('journal')
      .where({ execution_id: executionId })
      .select('body');
    const sizes = rows.map(({ body }) => body.length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total > 30_000_000, `${total} bytes`);
    assert.ok(Math.max(...sizes) < 2_097_152, `${Math.max(...sizes)} bytes in a row`);
  });
});

describe('the history of a run', () => {
  let flows: FlowService;
  beforeEach(async () => {
    flows = await startFlowService();
  });
  afterEach(() => flows.stop());

  itSlow('does not block the event loop while many small messages are decoded', async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `n${n}`);
    const graph = await flows.compile({
      name: 'chain',
      entry: ids[0],
      terminal: ids.at(-1),
      nodes: ids.map((id) => step(id)),
      edges: ids.slice(1).map((to, n) => ({ from: ids[n], to })),
    });
    const parts = Array.from({ length: 2_000 }, () => ({}));
    const { body } = await flows.invoke(graph, { input: { parts } });
    assert.equal(body.result?.success, true, JSON.stringify(body).slice(0, 500));
    const { latest_checkpoint_id } = await recordOf(flows.acme, body.execution_id);
    for (const path of ['events?limit=1000', `checkpoints/${latest_checkpoint_id as string}?`]) {
      const watch = watchTurns();
      const answer = await fetch(
        `${flows.service.url}/invocations/v1/executions/${body.execution_id}/${path}&decode=true`,
        { headers: { Authorization: `Bearer ${flows.acme.key}` } },
      );
      let bytes = 0;
      for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) bytes += chunk.length;
      assertTurn(watch.stop(), maxTurnMs / 2, path);
      assert.equal(answer.status, 200);
      assert.ok(bytes > 500_000, `${bytes} bytes`);
    }
  });
});
