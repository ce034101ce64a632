import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JournalEntry } from '../../../../service/engine/run/journal-entry.ts';
import { type JournaledRun, runJournaled } from '../../../support/journaled-run.ts';
import { edgeId, fromBytes, type ToyGraph, type ToyNode } from '../../../support/toy-graph.ts';

/** Any graph: loops, joins of both kinds, retries; every node can be reached or not. */
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
        // The entry starts with the flow's input: compile refuses a join there.
        ...(joined && id !== 'n0' && { join: joined }),
        ...(retried && { retry: retried }),
      }));
  const place = fc.integer({ min: 0, max: count - 1 });
  const edge = fc
    .tuple(place, place, fc.integer({ min: 2, max: 6 }), fc.integer({ min: 0, max: 9 }))
    .map(([from, to, below, kind]) => ({
      from: ids[from]!,
      to: ids[to]!,
      // Loops end by their condition, or the steps would run out every time.
      ...(to <= from && { below }),
      ...(kind === 0 && { closed: true }),
    }));
  return fc.record({
    entry: fc.constant('n0'),
    terminal: place.map((index) => ids[index]!),
    nodes: fc.tuple(...ids.map(node)),
    edges: fc.uniqueArray(edge, { maxLength: 10, selector: edgeId }),
  });
});

/** Graphs that a few lines can tell the outcome of: no loops, and a join by `all` wherever several edges meet. */
const plainGraph = anyGraph.map((toy): ToyGraph => {
  const edges = toy.edges
    .filter(({ from, to }) => from < to)
    .map(({ from, to, closed }) => ({ from, to, ...(closed && { closed }) }));
  const nodes = toy.nodes.map(({ id, retry }) => ({
    id,
    ...(retry && { retry }),
    ...(edges.filter(({ to }) => to === id).length > 1 && {
      join: { policy: 'all', onError: 'abort' } as const,
    }),
  }));
  return { ...toy, nodes, edges };
});

/** What every whim of the schedule is drawn from. */
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
  it('end as the model says, whatever dies and in whatever order steps end', async () => {
    await fc.assert(
      fc.asyncProperty(plainGraph, whims, async (toy, stream) => {
        const { entries, state } = await runJournaled(toy, scheduleOf(stream[Symbol.iterator]()));
        const expected = modelOf(toy);
        const started = entries.flatMap((entry) => (entry.type === 'NODE_STARTED' ? entry.node : []));
        assert.deepEqual(started.toSorted(), [...expected.ran.keys()].sort());
        assert.equal(count(entries, 'branch_opened'), expected.branches);
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

  it('end once, each step started once and ended at most once, every branch closed', async () => {
    const faults = fc.array(fc.record({ node: fc.nat(6), attempts: fc.nat(4), retryable: fc.boolean() }), {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(anyGraph, whims, faults, async (toy, stream, broken) => {
        const run = await runJournaled(toy, {
          ...scheduleOf(stream[Symbol.iterator]()),
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
  const ended = steps('NODE_COMPLETED', 'NODE_FAILED');
  assert.equal(new Set(ended).size, ended.length);
  const branches = (type: JournalEntry['type']): string[] =>
    entries.flatMap((entry) => (entry.type === type && 'branch' in entry ? entry.branch : [])).sort();
  assert.deepEqual(branches('branch_ended'), branches('branch_opened'));
  if (state.end?.type === 'FLOW_COMPLETED') {
    assert.equal(ended.length, started.length);
    assert.equal(state.active.size, 0);
  }
}

/** Which nodes run and what their outputs went through, by going through the graph in order. */
function modelOf({ nodes, edges }: ToyGraph): { ran: Map<string, Set<string>>; branches: number } {
  const ran = new Map([['n0', new Set(['n0'])]]);
  let branches = 0;
  for (const { id } of nodes) {
    const through = ran.get(id);
    if (!through) continue;
    const passing = edges.filter((edge) => edge.from === id && !edge.closed);
    if (passing.length > 1) branches += passing.length;
    for (const { to } of passing) {
      ran.set(to, new Set([...(ran.get(to) ?? []), ...through, to]));
    }
  }
  return { ran, branches };
}
