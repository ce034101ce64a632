import assert from 'node:assert/strict';
import type { JournalEntry } from '../../../../service/engine/journal/entry.ts';
import type { StepFailure } from '../../../../service/engine/run/step-failure.ts';
import { runJournaled } from '../../../support/journaled-run.ts';
import { shapeOf } from '../../../../service/engine/journal/graph-shape.ts';
import { newRunState } from '../../../../service/engine/journal/state.ts';
import { NextActions } from '../../../../service/engine/run/next-actions.ts';
import { parkUntil } from '../../../../service/engine/run/park-until.ts';
import { fromBytes, loadToyGraph, toBytes, type ToyGraph } from '../../../support/toy-graph.ts';

const all = { policy: 'all', onError: 'abort' } as const;
const any = { policy: 'any', onError: 'abort' } as const;
const fails =
  (node: string, retryable = false) =>
  (asked: string): StepFailure | undefined =>
    asked === node ? { message: `${node} is broken`, retryable } : undefined;

/** a leads to b and c, which join at d. */
const diamond = (join: Partial<typeof all> | typeof any = {}): ToyGraph => ({
  entry: 'a',
  terminal: 'd',
  nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd', join: { ...all, ...join } }],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'a', to: 'c' },
    { from: 'b', to: 'd' },
    { from: 'c', to: 'd' },
  ],
});

const nodesOf = (entries: readonly JournalEntry[], type: JournalEntry['type']): string[] =>
  entries.flatMap((entry) => (entry.type === type && 'node' in entry ? entry.node : []));

async function messageOf(...run: Parameters<typeof runJournaled>): Promise<string | undefined> {
  const { end } = (await runJournaled(...run)).state;
  return end?.type === 'FLOW_FAILED' ? end.message : undefined;
}

describe('the next actions of a run', () => {
  it('open a branch per passing edge, and start the join once', async () => {
    const { entries, state } = await runJournaled(diamond());
    assert.deepEqual(nodesOf(entries, 'NODE_STARTED'), ['a', 'b', 'c', 'd']);
    assert.equal(entries.filter(({ type }) => type === 'branch_opened').length, 2);
    assert.deepEqual(
      entries.flatMap((entry) => (entry.type === 'branch_ended' ? entry.status : [])),
      ['COMPLETED', 'COMPLETED'],
    );
    assert.equal(state.end?.type, 'FLOW_COMPLETED');
    assert.deepEqual(fromBytes(state.result as Uint8Array).through, ['a', 'b', 'c', 'd']);
  });

  it('continue on the root branch after all branches have joined', async () => {
    const { entries } = await runJournaled(diamond());
    const joined = entries.find((entry) => entry.type === 'NODE_STARTED' && entry.node === 'd');
    assert.equal(joined?.type === 'NODE_STARTED' && joined.branch, 'root');
  });

  it('follow a single edge without opening a branch', async () => {
    const toy = diamond();
    toy.edges[0]!.closed = true;
    const { entries, state } = await runJournaled(toy);
    assert.equal(entries.filter(({ type }) => type === 'branch_opened').length, 0);
    assert.deepEqual(fromBytes(state.result as Uint8Array).through, ['a', 'c', 'd']);
  });

  it('start a join with policy "any" once, with the first arrival', async () => {
    const { entries, state } = await runJournaled(diamond(any));
    assert.deepEqual(nodesOf(entries, 'NODE_STARTED').toSorted(), ['a', 'b', 'c', 'd']);
    assert.equal(fromBytes(state.result as Uint8Array).through.length, 3);
  });

  it('end the run with its result, and cancel the other branches', async () => {
    // s is a side branch that leads nowhere, and c a late branch.
    const toy = diamond(any);
    toy.nodes.push({ id: 's' });
    toy.edges.push({ from: 'a', to: 's' });
    const { entries, state } = await runJournaled(toy, { first: ['a', 'b', 'd'] });
    assert.deepEqual(nodesOf(entries, 'NODE_STARTED'), ['a', 'b', 'c', 's', 'd']);
    assert.deepEqual(nodesOf(entries, 'NODE_COMPLETED'), ['a', 'b', 'd']);
    assert.deepEqual(fromBytes(state.result as Uint8Array).through, ['a', 'b', 'd']);
    assert.deepEqual(
      entries.flatMap((entry) => (entry.type === 'branch_ended' ? entry.status : [])).toSorted(),
      ['CANCELLED', 'CANCELLED', 'COMPLETED'],
    );
    assert.deepEqual([entries.at(-1)?.type, state.active.size], ['FLOW_COMPLETED', 0]);
  });

  it('continue past the terminal while its outgoing edges pass', async () => {
    const toy = diamond(any);
    toy.edges.push({ from: 'd', to: 'a', below: 4 });
    const { state } = await runJournaled(toy, { choose: (count) => count - 1 });
    assert.equal(state.end?.type, 'FLOW_COMPLETED');
    assert.equal(fromBytes(state.result as Uint8Array).length, 6);
  });

  it('treat the child branches of a late branch as late', async () => {
    const toy = diamond(any);
    toy.nodes.push({ id: 'e' }, { id: 'f' });
    toy.edges.splice(
      3,
      1,
      ...[
        ['c', 'e'],
        ['c', 'f'],
        ['e', 'd'],
        ['f', 'd'],
      ].map(([from = '', to = '']) => ({ from, to })),
    );
    const { entries } = await runJournaled(toy);
    assert.deepEqual(nodesOf(entries, 'NODE_STARTED').toSorted(), ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('fail the flow with the error message of the node if no join follows', async () => {
    assert.equal(await messageOf(diamond(), { failure: fails('a') }), 'a is broken');
    assert.equal(await messageOf(diamond(), { failure: fails('d') }), 'd is broken');
  });

  it('fail the flow at the join of a failed branch if the join aborts on errors', async () => {
    const { entries, state } = await runJournaled(diamond(), { failure: fails('b') });
    assert.equal(
      state.end?.type === 'FLOW_FAILED' && state.end.message,
      'downstream join d failed: b is broken',
    );
    const statuses = entries.flatMap((entry) => (entry.type === 'branch_ended' ? entry.status : []));
    assert.deepEqual(statuses, ['CANCELLED', 'CANCELLED']);
  });

  it('continue without a failed branch, but fail if all branches fail', async () => {
    const join = { onError: 'continue' } as unknown as Partial<typeof all>;
    const { state } = await runJournaled(diamond(join), { failure: fails('b') });
    assert.deepEqual(fromBytes(state.result as Uint8Array).through, ['a', 'c', 'd']);
    const broken = (node: string): StepFailure | undefined => fails('b')(node) ?? fails('c')(node);
    assert.equal(
      await messageOf(diamond(join), { failure: broken }),
      'downstream join d failed: c is broken',
    );
  });

  it('ignore the failure of a late branch, whether the join aborts or continues on errors', async () => {
    for (const onError of ['abort', 'continue']) {
      const toy = diamond({ ...any, onError } as typeof any);
      toy.nodes.push({ id: 'e' });
      toy.edges.push({ from: 'd', to: 'e' });
      toy.terminal = 'e';
      const failed = await runJournaled(toy, { failure: fails('c'), first: ['a', 'b', 'd', 'c'] });
      assert.deepEqual(fromBytes(failed.state.result as Uint8Array).through, ['a', 'b', 'd', 'e'], onError);
      const ends = failed.entries.flatMap((entry) => (entry.type === 'branch_ended' ? entry : []));
      assert.ok(ends.some(({ status, message }) => status === 'FAILED' && message === 'c is broken'));
      // A failure before the start of the join follows the join policy.
      const early = await messageOf(toy, { failure: fails('c'), first: ['a', 'c'] });
      assert.equal(early, onError === 'abort' ? 'downstream join d failed: c is broken' : undefined);
    }
  });

  it('fail the flow if nothing reaches the terminal', async () => {
    const toy = diamond();
    toy.edges.splice(2, 2);
    assert.equal(await messageOf(toy), 'graph produced no terminal result');
  });

  it('fail the flow with the message of a failed edge', async () => {
    const toy = diamond();
    toy.edges[3]!.error = 'edge "c" → "d": EvaluateEdge condition: no';
    assert.equal(await messageOf(toy), 'edge "c" → "d": EvaluateEdge condition: no');
  });

  it('end a loop when its condition fails, or after a thousand steps', async () => {
    const loop = (below: number): ToyGraph => ({
      entry: 'a',
      terminal: 'a',
      nodes: [{ id: 'a' }],
      edges: [{ from: 'a', to: 'a', below }],
    });
    const { state } = await runJournaled(loop(5));
    assert.equal(state.steps, 5);
    assert.equal(fromBytes(state.result as Uint8Array).length, 5);
    assert.equal((await runJournaled(loop(1000))).state.end?.type, 'FLOW_COMPLETED');
    assert.equal(await messageOf(loop(1001)), 'exceeded max steps (1000)');
  });

  it('start joins that wait for each other, oldest first', async () => {
    const toy: ToyGraph = {
      entry: 'a',
      terminal: 'c',
      nodes: [{ id: 'a' }, { id: 'b', join: all }, { id: 'c', join: all }],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'b', below: 3 },
      ],
    };
    const { entries, state } = await runJournaled(toy);
    assert.deepEqual(nodesOf(entries, 'NODE_STARTED'), ['a', 'b', 'c']);
    assert.equal(state.end?.type, 'FLOW_COMPLETED');
  });

  it('stop at the end of a turn, and resume after a commit or in another process', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const mocked: ToyGraph = {
      entry: 'n0',
      terminal: 'n11',
      nodes: ids.map((id) => ({ id, mocked: true })),
      edges: ids.slice(1).map((to, index) => ({ from: ids[index]!, to, work: 20_000 })),
    };
    const joins = ids.slice(1, 11);
    const joined: ToyGraph = {
      entry: 'n0',
      terminal: 'n11',
      nodes: [
        { id: 'n0' },
        ...joins.map((id) => ({ id, join: all, mocked: true })),
        { id: 'n11', join: all },
      ],
      edges: joins.flatMap((id) => [
        { from: 'n0', to: id },
        { from: id, to: 'n11', work: 20_000 },
      ]),
    };
    for (const toy of [mocked, joined]) {
      const { rows, entries } = await runJournaled(toy);
      assert.ok(rows >= 4, `${rows} rows`);
      assert.deepEqual(nodesOf(entries, 'NODE_STARTED'), ids);
      assert.equal(entries.at(-1)?.type, 'FLOW_COMPLETED');
      let commits = 0;
      const dies = () => ((commits += 1) % 2 === 0 ? 'after' : undefined);
      const survived = await runJournaled(toy, { dies });
      assert.ok(survived.deaths > 0);
      assert.deepEqual(nodesOf(survived.entries, 'NODE_STARTED'), ids);
      const cheap = { ...toy, edges: toy.edges.map(({ from, to }) => ({ from, to })) };
      assert.ok((await runJournaled(cheap)).rows <= 3);
    }
  });

  it('produce rows of a few hundred entries, and a single row for a short chain', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `n${index}`);
    const chain: ToyGraph = {
      entry: 'n0',
      terminal: 'n9',
      nodes: ids.map((id) => ({ id, mocked: true })),
      edges: ids.slice(1).map((to, index) => ({ from: ids[index]!, to })),
    };
    assert.equal((await runJournaled(chain)).rows, 1);
    const loop = { ...chain, edges: [...chain.edges, { from: 'n9', to: 'n0' }] };
    let commits = 0;
    const dies = () => ((commits += 1) % 2 === 0 ? 'before' : undefined);
    for (const options of [{}, { dies }]) {
      const { rows, entries, state } = await runJournaled(loop, options);
      assert.ok(rows >= 6 && rows < 20, `${rows} rows`);
      assert.equal(nodesOf(entries, 'NODE_STARTED').length, 1_000);
      assert.deepEqual(nodesOf(entries, 'NODE_STARTED').slice(-2), ['n8', 'n9']);
      assert.equal(state.end?.type === 'FLOW_FAILED' && state.end.message, 'exceeded max steps (1000)');
    }
  });

  it('are not interrupted if no decision remains', () => {
    let count = 0;
    const id = (): string => String((count += 1)).padStart(26, '0');
    const targets = Array.from({ length: 600 }, (_, index) => `t${index}`);
    const graph = loadToyGraph({
      entry: 'a',
      terminal: 't0',
      nodes: ['a', 'b', ...targets].map((each) => ({ id: each })),
      edges: [
        { from: 'a', to: 'a' },
        { from: 'a', to: 'b' },
        ...targets.map((to) => ({ from: 'b', to, closed: true })),
      ],
    });
    const state = newRunState('root');
    const actions = new NextActions({
      graph,
      shape: shapeOf(graph),
      state,
      ids: { ulid: id, executionId: id },
      now: () => 0,
    });
    actions.start(toBytes({ length: 0, through: [] }));
    actions.complete(0, toBytes({ length: 1, through: ['a'] }));
    actions.complete(2, toBytes({ length: 2, through: ['a', 'b'] }));
    assert.ok(actions.take().length > 600);
    assert.deepEqual([state.end, actions.isInterrupted], [undefined, false]);
  });

  it('are not interrupted if a join waits for a human, so that the run can be parked', () => {
    let count = 0;
    const id = (): string => String((count += 1)).padStart(26, '0');
    const targets = Array.from({ length: 600 }, (_, index) => `t${index}`);
    const graph = loadToyGraph({
      entry: 'a',
      terminal: 'j',
      nodes: [...['a', 'ask', 'b', ...targets].map((each) => ({ id: each })), { id: 'j', join: all }],
      edges: [
        ...['ask', 'b'].map((to) => ({ from: 'a', to })),
        ...['ask', 'b'].map((from) => ({ from, to: 'j' })),
        ...targets.map((to) => ({ from: 'b', to, closed: true })),
      ],
    });
    const state = newRunState('root');
    const shape = shapeOf(graph);
    const ids = { ulid: id, executionId: id };
    const actions = new NextActions({ graph, shape, state, ids, now: () => 0 });
    actions.start(toBytes({ length: 0, through: [] }));
    actions.complete(0, toBytes({ length: 1, through: ['a'] }));
    actions.pause(1, { question: 'null', resumeSchema: 'Toy', timeoutMs: 1e9 });
    actions.complete(2, toBytes({ length: 2, through: ['a', 'b'] }));
    assert.ok(actions.take().length > 600);
    assert.equal(actions.isInterrupted, false);
    assert.equal(parkUntil(state, 0), 1e9);
  });

  it('escalate a pause once, unless it has already expired', () => {
    const typesAt = (...times: number[]): string[][] => {
      let [now, count] = [0, 0];
      const id = (): string => String((count += 1)).padStart(26, '0');
      const graph = loadToyGraph(diamond());
      const actions = new NextActions({
        graph,
        shape: shapeOf(graph),
        state: newRunState('root'),
        ids: { ulid: id, executionId: id },
        now: () => now,
      });
      actions.start(toBytes({ length: 0, through: [] }));
      actions.pause(0, { question: 'null', resumeSchema: 'Toy', timeoutMs: 100, escalateAfterMs: 50 });
      actions.take();
      return times.map((time) => {
        now = time;
        actions.checkPause();
        return actions
          .take()
          .map(({ type }) => type)
          .filter((type) => /^[A-Z]/.test(type));
      });
    };
    const ended = ['HITL_TIMEOUT', 'FLOW_FAILED'];
    assert.deepEqual(typesAt(49, 50, 99, 100), [[], ['ESCALATION_TRIGGERED'], [], ended]);
    // Nothing ran meanwhile.
    assert.deepEqual(typesAt(100), [ended]);
  });

  it('retry a retryable failure with increasing delays, and fail after the last attempt', async () => {
    const toy = diamond();
    toy.nodes[0]!.retry = { maxAttempts: 4, initialMs: 100, factor: 2, maxMs: 300 };
    const { entries, state } = await runJournaled(toy, { failure: fails('a', true) });
    const waits = entries.flatMap((entry) =>
      entry.type === 'NODE_RETRY_SCHEDULED' ? (entry.nextAttemptAt ?? 0) - entry.at : [],
    );
    assert.deepEqual(waits, [100, 200, 300]);
    assert.deepEqual(
      entries.flatMap((entry) => (entry.type === 'NODE_RETRY_STARTED' ? entry.attempt : [])),
      [2, 3, 4],
    );
    assert.deepEqual(
      entries.slice(-3).map(({ type }) => type),
      ['NODE_RETRY_EXHAUSTED', 'NODE_FAILED', 'FLOW_FAILED'],
    );
    const reasons = entries.flatMap((entry) =>
      entry.type === 'NODE_RETRY_SCHEDULED' || entry.type === 'NODE_RETRY_EXHAUSTED' ? entry.message : [],
    );
    assert.deepEqual(reasons, Array(4).fill('a is broken'));
    assert.equal(state.end?.type === 'FLOW_FAILED' && state.end.message, 'a is broken');
    const once = await runJournaled(toy, { failure: fails('a', false) });
    assert.ok(!once.entries.some(({ type }) => type.startsWith('NODE_RETRY')));
  });
});
