import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JournalEntry } from '../../../../service/engine/journal/entry.ts';
import { type JournaledRun, runJournaled } from '../../../support/journaled-run.ts';
import {
  edgeId,
  fromBytes,
  type ToyGraph,
  type ToyGrowth,
  type ToyNode,
} from '../../../support/toy-graph.ts';

/** Any graph, with loops, both kinds of joins, retries and unreachable nodes. */
const anyGraph: fc.Arbitrary<ToyGraph> = fc.integer({ min: 1, max: 7 }).chain((count) => {
  const ids = Array.from({ length: count }, (_, index) => `n${index}`);
  const join = fc.record({
    policy: fc.constantFrom('all', 'any'),
    onError: fc.constantFrom('abort', 'continue'),
  });
  const retry = fc.record({
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    initialMs: fc.integer({ min: 0, max: 50 }),
    factor: fc.constantFrom(1, 2),
    maxMs: fc.constant(100),
  });
  const node = (id: string): fc.Arbitrary<ToyNode> =>
    fc
      .tuple(fc.option(join, { nil: undefined }), fc.option(retry, { nil: undefined }))
      .map(([joined, retried]) => ({
        id,
        // The compiler refuses a join at the entry, which starts with the flow's input.
        ...(joined && id !== 'n0' && { join: joined }),
        ...(retried && { retry: retried }),
      }));
  const place = fc.integer({ min: 0, max: count - 1 });
  const edge = fc
    .tuple(place, place, fc.integer({ min: 2, max: 6 }), fc.integer({ min: 0, max: 9 }))
    .map(([from, to, below, kind]) => ({
      from: ids[from]!,
      to: ids[to]!,
      // Loops end by their condition. Otherwise every run would reach the step limit.
      ...(to <= from && { below }),
      ...(kind === 0 && { closed: true }),
      // Three of them are more than one turn of the event loop takes.
      ...(kind > 4 && { work: 25_000 }),
    }));
  const growth = fc
    .tuple(
      place,
      fc.array(fc.tuple(place, fc.boolean()), { maxLength: 2 }),
      fc.option(join, { nil: undefined }),
    )
    .map(([by, others, joined]): Omit<ToyGrowth, 'node'> & { join: ToyNode['join'] } => ({
      by: ids[by]!,
      join: joined,
      edges: [
        { from: ids[by]!, to: '' },
        ...others.map(([other, from]) => ({
          from: from ? ids[other]! : '',
          to: from ? '' : ids[other]!,
          below: 6,
        })),
      ],
    }));
  return fc.record({
    growth: fc.array(growth, { maxLength: 2 }).map((all) => all.map(named)),
    entry: fc.constant('n0'),
    terminal: place.map((index) => ids[index]!),
    nodes: fc.tuple(...ids.map(node)),
    edges: fc.uniqueArray(edge, { maxLength: 10, selector: edgeId }),
  });
});

/** A mutation whose node, `g<index>`, replaces the unnamed ends of its edges. */
function named(
  { by, join, edges }: Omit<ToyGrowth, 'node'> & { join: ToyNode['join'] },
  index: number,
): ToyGrowth {
  const id = `g${index}`;
  const own = edges.map((edge) => ({ ...edge, from: edge.from || id, to: edge.to || id }));
  const unique = own.filter((edge, at) => own.findIndex((other) => edgeId(other) === edgeId(edge)) === at);
  return { by, node: { id, ...(join && { join: { ...join } }) }, edges: unique };
}

/** Graphs with a predictable outcome: no loops, a join by `all` wherever edges meet, and mutations that are dead ends. */
const plainGraph = anyGraph.map((toy): ToyGraph => {
  const edges = toy.edges
    .filter(({ from, to }) => from < to)
    .map(({ from, to, closed, work }) => ({
      from,
      to,
      ...(closed && { closed }),
      ...(work !== undefined && { work }),
    }));
  const nodes = toy.nodes.map(({ id, retry }) => ({
    id,
    ...(retry && { retry }),
    ...(edges.filter(({ to }) => to === id).length > 1 && {
      join: { policy: 'all', onError: 'abort' } as const,
    }),
  }));
  const growth = (toy.growth ?? []).map(({ by, node }) => ({
    by,
    node: { id: node.id },
    edges: [{ from: by, to: node.id }],
  }));
  return { ...toy, nodes, edges, growth };
});

/** The random choices of the schedule. */
const whims = fc.infiniteStream(fc.nat(1_000_000));

function scheduleOf(stream: Iterator<number>): {
  choose: (count: number) => number;
  dies: () => 'before' | 'after' | undefined;
} {
  const next = (): number => stream.next().value as number;
  return {
    choose: (count) => next() % count,
    dies: () => (['before', 'after', undefined, undefined, undefined] as const)[next() % 5],
  };
}

const count = (entries: readonly JournalEntry[], type: JournalEntry['type']): number =>
  entries.filter((entry) => entry.type === type).length;

describe('random runs', () => {
  it('end as the model predicts for any crashes and any order of steps', async () => {
    await fc.assert(
      fc.asyncProperty(plainGraph, whims, async (toy, stream) => {
        const { entries, state } = await runJournaled(toy, scheduleOf(stream[Symbol.iterator]()));
        const expected = modelOf(toy);
        const started = entries.flatMap((entry) => (entry.type === 'NODE_STARTED' ? entry.node : []));
        if (expected.awaited) {
          // The result ends the run, so nodes that do not lead to it may not have run.
          assert.deepEqual(
            [...expected.awaited].filter((id) => !started.includes(id)),
            [],
          );
          assert.deepEqual(
            started.filter((id) => !expected.ran.has(id)),
            [],
          );
          assert.ok(count(entries, 'branch_opened') <= expected.branches);
        } else {
          assert.deepEqual(started.toSorted(), [...expected.ran.keys()].sort());
          assert.equal(count(entries, 'branch_opened'), expected.branches);
        }
        assert.equal(new Set(started).size, started.length);
        const result = expected.ran.get(toy.terminal);
        if (result) assert.deepEqual(fromBytes(state.result as Uint8Array).through, [...result].sort());
        else
          assert.equal(
            state.end?.type === 'FLOW_FAILED' && state.end.message,
            'graph produced no terminal result',
          );
      }),
    );
  });

  it('wait for one decision at a time, and start each node that paused twice', async () => {
    await fc.assert(
      fc.asyncProperty(plainGraph, whims, fc.uniqueArray(fc.nat(6)), async (toy, stream, asking) => {
        const nodes = new Set(asking.map((index) => `n${index}`));
        const run = await runJournaled(toy, {
          ...scheduleOf(stream[Symbol.iterator]()),
          asks: (node) => nodes.has(node),
        });
        assertWhole(run);
        const { entries } = run;
        const waiting: string[] = [];
        const resumed: string[] = [];
        for (const entry of entries) {
          if (entry.type === 'HITL_PAUSED') waiting.push(entry.pauseId);
          assert.ok(waiting.length <= 1, 'two pauses wait');
          if (entry.type !== 'HITL_RESUMED' && entry.type !== 'pause_cancelled') continue;
          assert.equal(waiting.pop(), entry.pauseId);
          if (entry.type === 'HITL_RESUMED') resumed.push(entry.node);
        }
        assert.deepEqual(waiting, []);
        assert.equal(new Set(resumed).size, resumed.length);
        const again = entries.flatMap((entry) =>
          entry.type === 'NODE_STARTED' && entry.resumed ? entry.node : [],
        );
        assert.deepEqual(again, resumed);
        const { awaited } = modelOf(toy);
        if (!awaited) return;
        const decided = [...awaited].filter((node) => nodes.has(node));
        assert.deepEqual(
          decided.filter((node) => !resumed.includes(node)),
          [],
        );
      }),
    );
  });

  it('end exactly once, with each step started once and ended at most once, and every branch closed', async () => {
    const faults = fc.array(fc.record({ node: fc.nat(6), attempts: fc.nat(4), retryable: fc.boolean() }), {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(anyGraph, whims, faults, fc.nat(7), async (toy, stream, broken, asking) => {
        const run = await runJournaled(toy, {
          ...scheduleOf(stream[Symbol.iterator]()),
          asks: (node) => node === `n${asking}`,
          failure: (node, attempt) => {
            const fault = broken.find((each) => `n${each.node}` === node);
            if (!fault || attempt > fault.attempts) return undefined;
            return { message: `${node} is broken`, retryable: fault.retryable };
          },
        });
        assertWhole(run);
      }),
    );
  });
});

function assertWhole({ entries, state }: JournaledRun): void {
  assert.equal(count(entries, 'FLOW_COMPLETED') + count(entries, 'FLOW_FAILED'), 1);
  assert.equal(entries.at(-1)?.type, state.end?.type);
  const steps = (...types: JournalEntry['type'][]): number[] =>
    entries.flatMap((entry) => ('step' in entry && types.includes(entry.type) ? entry.step : []));
  const started = steps('NODE_STARTED');
  assert.deepEqual(
    started,
    started.map((_, index) => index),
  );
  assert.ok(started.length <= 1000);
  const ended = steps('NODE_COMPLETED', 'NODE_FAILED', 'HITL_RESUMED');
  assert.equal(new Set(ended).size, ended.length);
  assert.equal(state.active.size, 0);
  const mutations = entries.flatMap((entry) => (entry.type === 'GRAPH_MUTATED' ? entry.mutation : []));
  assert.deepEqual(
    mutations,
    mutations.map((_, index) => index + 1),
  );
  assert.equal(state.mutations.length, mutations.length);
  const branches = (type: JournalEntry['type']): string[] =>
    entries.flatMap((entry) => (entry.type === type && 'branch' in entry ? entry.branch : [])).sort();
  assert.deepEqual(branches('branch_ended'), branches('branch_opened'));
  if (state.end?.type === 'FLOW_COMPLETED') {
    // Only cancelled branches have steps without an end.
    const cancelled = entries.filter(
      (entry) => entry.type === 'branch_ended' && entry.status === 'CANCELLED',
    );
    assert.ok(started.length - ended.length <= cancelled.length);
  }
}

interface Model {
  /** Nodes that run unless the result ends the run earlier, with the nodes that their outputs passed. */
  ran: Map<string, Set<string>>;
  branches: number;
  /** The nodes that lead to the result. */
  awaited: Set<string> | undefined;
}

/** Predicts the outcome of a run from the graph, in topological order. */
function modelOf({ nodes, edges, growth = [], terminal }: ToyGraph): Model {
  const ran = new Map([['n0', new Set(['n0'])]]);
  const all = [...edges, ...growth.flatMap((each) => each.edges)].filter((edge) => !edge.closed);
  let branches = 0;
  for (const { id } of nodes) {
    const through = ran.get(id);
    if (!through) continue;
    const passing = all.filter((edge) => edge.from === id);
    if (passing.length > 1) branches += passing.length;
    for (const { to } of passing) {
      ran.set(to, new Set([...(ran.get(to) ?? []), ...through, to]));
    }
  }
  const ends = ran.has(terminal) && all.every(({ from }) => from !== terminal);
  return { ran, branches, awaited: ends ? ran.get(terminal) : undefined };
}
