import assert from 'node:assert/strict';
import { itSlow } from '../support/fast-run.ts';
import { compileFlow, type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import type { Caller } from '../support/running-service.ts';
import { step } from '../support/step-package.ts';
import { assertTurn, watchTurns } from '../support/turn-watch.ts';

/** Processor time of the main thread in which nothing else is answered. */
const maxTurnMs = 100;

describe('long runs', () => {
  let flows: FlowService;
  let bulk: Caller;
  before(async () => {
    flows = await startFlowService();
    // Each branch is an execution.
    bulk = await flows.tenant('bulk', { dailyExecutions: 1e6 });
  });
  after(() => flows.stop());

  const mock = { output: { text: 'm' } };
  const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

  itSlow('do not block the event loop while hundreds of joins start', async function () {
    this.timeout(30_000);
    // Half of the joins wait for b, which answers only after the other half, started by c, has finished.
    const joins = range(480).map((n) => `j${n}`);
    const ends = ['b', 'c'];
    const graph = await compileFlow(bulk, {
      name: 'joins',
      entry: 'a',
      terminal: 'z',
      nodes: [
        ...['a', ...ends].map((id) => step(id)),
        ...joins.map((id) => step(id, { join: { policy: 'all' }, mock })),
        step('z', { join: { policy: 'all' }, mock }),
      ],
      edges: [
        ...[...ends, ...joins].map((to) => ({ from: 'a', to })),
        ...joins.map((to, n) => ({ from: n < 240 ? 'b' : 'c', to })),
        ...joins.map((from) => ({ from, to: 'z' })),
      ],
    });
    let answerB: (() => void) | undefined;
    const late = new Promise<void>((resolve) => (answerB = resolve));
    flows.behaviours.set('b', (_input, answer) => {
      void late.then(() => {
        answer.say({ case: 'output', value: new Uint8Array() });
        answer.end();
      });
      return undefined;
    });
    const watch = watchTurns();
    const invoked = invokeFlow(bulk, graph);
    setTimeout(() => answerB?.(), 500);
    const { body } = await invoked;
    // It took 2300.
    assertTurn(watch.stop(), maxTurnMs);
    assert.equal(body.result.success, true, JSON.stringify(body).slice(0, 500));
  });

  itSlow('do not block the event loop while mocks answer 1,000 calls with long texts', async function () {
    this.timeout(30_000);
    const long = { output: { text: 'x'.repeat(63_900) } };
    const graph = await compileFlow(bulk, {
      name: 'loop',
      entry: 'a',
      terminal: 'b',
      nodes: ['a', 'b'].map((id) => step(id, { mock: long })),
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'a' },
      ],
    });
    const watch = watchTurns();
    const { body } = await invokeFlow(bulk, graph);
    // It took 850 to 1250.
    assertTurn(watch.stop(), maxTurnMs);
    assert.equal(body.error_message, 'exceeded max steps (1000)');
    const rows = await flows.service.db.knex.raw<{ bytes: number }[]>(
      'select octet_length(body) as bytes from journal where execution_id = ?',
      [body.execution_id as string],
    );
    const longest = Math.max(...rows.map(({ bytes }) => bytes));
    assert.ok(rows.length > 50 && longest < 2_000_000, `${rows.length} rows of at most ${longest} bytes`);
  });

  it('write one journal row for a chain of mocks', async () => {
    const ids = range(10).map((n) => `n${n}`);
    const graph = await compileFlow(bulk, {
      name: 'chain',
      entry: ids[0],
      terminal: ids.at(-1),
      nodes: ids.map((id) => step(id, { mock: { output: { text: 'x'.repeat(2_000) } } })),
      edges: ids.slice(1).map((to, n) => ({ from: ids[n], to })),
    });
    const { body } = await invokeFlow(bulk, graph);
    assert.equal(body.result.success, true);
    const rows = await flows.service.db.knex('journal').where({ execution_id: body.execution_id as string });
    assert.equal(rows.length, 1);
  });
});
