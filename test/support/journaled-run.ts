import assert from 'node:assert/strict';
import { applyEntry } from '../../service/engine/journal/fold.ts';
import { shapeOf } from '../../service/engine/journal/graph-shape.ts';
import { decodeEntries, encodeEntries } from '../../service/engine/journal/codec.ts';
import type { JournalEntry } from '../../service/engine/journal/entry.ts';
import { NextActions } from '../../service/engine/run/next-actions.ts';
import type { Mutation } from '../../service/engine/run/run-graph.ts';
import type { StepFailure } from '../../service/engine/run/step-failure.ts';
import { loadedBytes } from '../../service/engine/journal/payload.ts';
import { type ActiveStep, newRunState, type RunState } from '../../service/engine/journal/state.ts';
import {
  compiledToyGrowth,
  grownToyGraph,
  loadToyGraph,
  passThrough,
  toBytes,
  type ToyGraph,
} from './toy-graph.ts';

interface JournaledRunOptions {
  /** The failure of an attempt of a node; `undefined` if it succeeds. */
  failure?: (node: string, attempt: number) => StepFailure | undefined;
  /** Whether a node pauses for a human decision first. The decision is its input. */
  asks?: (node: string) => boolean;
  /** Chooses an option, counted from 0: the step that ends next, and whether the process dies there. */
  choose?: (count: number) => number;
  /** Nodes that end before any others. */
  first?: readonly string[];
  /** Whether the process dies before the next commit or immediately after it. */
  dies?: () => 'before' | 'after' | undefined;
}

/** A run in memory. Only its journal survives its process. */
export interface JournaledRun {
  entries: JournalEntry[];
  /** Number of commits. */
  rows: number;
  state: RunState;
  /** Number of crashes. */
  deaths: number;
}

/** Runs a toy graph to its end step by step, like a replica: commits precede dispatches, and a crash loses the rest. */
export async function runJournaled(
  toy: ToyGraph,
  {
    failure = () => undefined,
    asks = () => false,
    choose = () => 0,
    first = [],
    dies = () => undefined,
  }: JournaledRunOptions = {},
): Promise<JournaledRun> {
  const rows: string[] = [];
  let counter = 0;
  const next = (): string => String((counter += 1)).padStart(8, '0');
  const ids = { ulid: next, executionId: () => `branch-${next()}` };
  let now = 0;
  let deaths = 0;

  const fold = (): RunState => foldRows(toy, rows);
  /** The toy graph with the growth recorded in the journal. */
  const grownBy = ({ mutations }: RunState): ToyGraph => {
    const there = (toy.growth ?? []).filter(({ node }) =>
      mutations.some(({ nodes }) => nodes.some(({ id }) => id === node.id)),
    );
    return there.reduce(grownToyGraph, toy);
  };
  const actionsOn = (state: RunState): NextActions => {
    const graph = loadToyGraph(grownBy(state));
    return new NextActions({ graph, shape: shapeOf(graph), state, ids, now: () => now });
  };
  const mutationsOf = (node: string): Mutation[] => {
    let running = grownBy(state);
    const known = new Set(running.nodes.map(({ id }) => id));
    const brought = (toy.growth ?? []).filter((each) => each.by === node && !known.has(each.node.id));
    return brought.map((each) => {
      running = grownToyGraph(running, each);
      const graph = loadToyGraph(running);
      return { fragment: compiledToyGrowth(each), graph, shape: shapeOf(graph) };
    });
  };
  const isMocked = (node: string): boolean => toy.nodes.find(({ id }) => id === node)?.mocked === true;
  let state = newRunState('root');
  let actions = actionsOn(state);

  const die = (): void => {
    deaths += 1;
    state = fold();
    actions = actionsOn(state);
    actions.note({ type: 'taken_over', replica: 'next', epoch: deaths });
    if (state.steps === 0 && !state.end) actions.start(toBytes({ length: 0, through: [] }));
  };

  const commit = async (): Promise<void> => {
    const death = dies();
    if (death === 'before') die();
    rows.push(await encodeEntries(actions.take(), () => assert.fail('nothing here is large')));
    // Folding is linear in the length of the journal, so a long one is folded only occasionally.
    if (rows.length < 100 || rows.length % 100 === 0)
      assert.deepEqual(fold(), state, 'the journal folds to the state');
    if (death === 'after') die();
  };

  const finish = (step: ActiveStep): void => {
    if (step.retryAt !== undefined) {
      now = Math.max(now, step.retryAt);
      actions.retry(step.step);
      return;
    }
    if (step.asks) {
      const pauseId = state.pause?.pauseId ?? '';
      const decided = actions.resume({
        pauseId,
        decisionId: '',
        resumedBy: '',
        decision: { input: loadedBytes(step.input) },
      });
      assert.ok(decided, 'the run waits for a decision');
      return;
    }
    if (!step.resumed && asks(step.node)) {
      actions.pause(step.step, { question: 'null', resumeSchema: 'Toy', timeoutMs: 1e9 });
      return;
    }
    const failed = failure(step.node, step.attempt);
    if (failed) actions.fail(step.step, failed);
    else {
      const output = passThrough(step.node, loadedBytes(step.input));
      actions.complete(step.step, output, {}, mutationsOf(step.node));
    }
  };

  actions.note({ type: 'admitted', config: {} });
  actions.start(toBytes({ length: 0, through: [] }));
  await commit();
  for (let turn = 0; !state.end; turn += 1) {
    assert.ok(turn < 20_000, 'the run does not end');
    now += 1;
    const active = [...state.active.values()].filter(
      // A queued question cannot be decided yet.
      (step) => !isMocked(step.node) && (step.asks === undefined || step.asks === 'waiting'),
    );
    if (actions.isInterrupted && (active.length === 0 || choose(2) === 0)) actions.proceed();
    else {
      const preferred = active.find(({ node }) => first.includes(node));
      finish(preferred ?? active[choose(active.length)] ?? active[0]!);
    }
    await commit();
  }
  return { entries: rows.flatMap(decodeEntries), rows: rows.length, state: fold(), deaths };
}

/** Folds the rows with the graph as it was before the run. */
function foldRows(toy: ToyGraph, rows: readonly string[]): RunState {
  const shape = shapeOf(loadToyGraph(toy));
  const state = newRunState('root');
  for (const entry of rows.flatMap(decodeEntries)) applyEntry(shape, state, entry);
  return state;
}
