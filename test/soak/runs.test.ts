import assert from 'node:assert/strict';
import { attempts } from './checks/attempts.ts';
import { calls } from './checks/calls.ts';
import { eventOrder } from './checks/event-order.ts';
import { followers } from './checks/followers.ts';
import { idempotency } from './checks/idempotency.ts';
import { listsWithoutRepetition } from './checks/lists-without-repetition.ts';
import { outputs } from './checks/outputs.ts';
import { runEnds } from './checks/run-ends.ts';
import type { ShownExecution } from './evidence/evidence.ts';
import type { AcceptedRun, Harm } from './history.ts';
import { acme, harm, textsOf } from './sound-soak.ts';

const events = (...types: string[]): ShownExecution['events'] =>
  types.map((type, n) => ({ type, event_ulid: String(n) }));
const completed: ShownExecution = {
  status: 'COMPLETED',
  hasEnded: true,
  events: events('NODE_STARTED', 'FLOW_COMPLETED'),
};

describe('the soak checks of runs', () => {
  const ended = (
    shown: ShownExecution | undefined,
    {
      harms = [],
      cancelled = [],
      ...changes
    }: Partial<AcceptedRun> & { harms?: Harm[]; cancelled?: string[] } = {},
  ): string[] => {
    const run: AcceptedRun = {
      executionId: 'X',
      tenant: acme,
      operation: 'unary run',
      mayEnd: new Set(['COMPLETED']),
      ...changes,
    };
    return textsOf(
      runEnds,
      { runs: new Map([['X', run]]), harms, cancelled: new Set(cancelled) },
      { executions: new Map(shown ? [['X', shown]] : []) },
    );
  };
  const failed: ShownExecution = { status: 'FAILED', hasEnded: true, events: events('FLOW_FAILED') };

  it('require the outcome that the client expects', () => {
    assert.deepEqual(ended(completed), []);
    assert.deepEqual(ended(failed), ['run X is FAILED: FLOW_FAILED']);
  });

  it('accept a failed stream only while a harm affects it', () => {
    const stream = { from: 1_500, to: 1_600 };
    assert.equal(ended(failed, { harms: [harm('container')] }).length, 1);
    assert.deepEqual(ended(failed, { harms: [harm('container')], stream }), []);
    assert.deepEqual(ended(failed, { harms: [harm('kill')], stream }), []);
    assert.equal(ended(failed, { harms: [harm('kill')], stream: { from: 9_000, to: 9_100 } }).length, 1);
  });

  it('report an unknown run', () => {
    assert.deepEqual(ended(undefined), ['run X is unknown']);
  });

  it('report a run that stays open', () => {
    assert.deepEqual(ended({ status: 'RUNNING', hasEnded: false, events: [] }), [
      'run X has not ended: RUNNING',
    ]);
  });

  it('require one terminal event, as the last one', () => {
    const twice = events('FLOW_COMPLETED', 'FLOW_COMPLETED');
    assert.equal(ended({ ...completed, events: twice }).length, 1);
    assert.equal(ended({ ...completed, events: events('FLOW_COMPLETED', 'NODE_LOG') }).length, 1);
    assert.equal(ended({ ...completed, events: events('FLOW_FAILED') }).length, 1);
    assert.equal(ended({ ...completed, events: [] }).length, 2);
  });

  it('require that a cancelled run stays cancelled', () => {
    assert.deepEqual(ended(completed, { cancelled: ['X'] }), ['run X was cancelled, but is COMPLETED']);
  });

  it('require ascending events without gaps', () => {
    const shown = (...ulids: string[]): [string, ShownExecution] => [
      'X',
      { ...completed, events: ulids.map((event_ulid) => ({ type: 'NODE_LOG', event_ulid })) },
    ];
    const order = (...ulids: string[]): string[] =>
      textsOf(eventOrder, {}, { executions: new Map([shown(...ulids)]) });
    assert.deepEqual(order('1', '2'), []);
    assert.equal(order('1', '1').length, 1);
    assert.equal(order('2', '1').length, 1);
    assert.deepEqual(textsOf(eventOrder, {}, { journalGaps: ['X'] }), ['execution X: its journal has a gap']);
  });

  it('require one retry for each attempt', () => {
    const tried = (...scheduled: number[]): string[] => {
      const retries = scheduled.map((attempt, n) => ({
        type: 'NODE_RETRY_SCHEDULED',
        event_ulid: String(n + 1),
        node_id: 'work',
        attempt,
      }));
      const shown = [{ type: 'NODE_STARTED', event_ulid: '0', node_id: 'work' }, ...retries];
      return textsOf(attempts, {}, { executions: new Map([['X', { ...completed, events: shown }]]) });
    };
    assert.deepEqual(tried(2, 3), []);
    assert.deepEqual(tried(2, 2), ['execution X: attempt 2 of work is scheduled after 2']);
    assert.equal(tried(3).length, 1);
  });

  it('require one run for each idempotency key', () => {
    const use = (executionId: string): { tenant: string; key: string; executionId: string } => ({
      tenant: 'acme',
      key: 'K',
      executionId,
    });
    assert.deepEqual(
      textsOf(idempotency, { keys: [use('X'), use('X'), { ...use('Y'), tenant: 'bolt' }] }),
      [],
    );
    assert.deepEqual(textsOf(idempotency, { keys: [use('X'), use('Y')] }), [
      'the key K of acme gave the executions X, Y',
    ]);
  });

  it("require the output of the run's own input", () => {
    const output = { executionId: 'X', wanted: 'a', got: 'a' };
    assert.deepEqual(textsOf(outputs, { outputs: [output] }), []);
    assert.deepEqual(textsOf(outputs, { outputs: [{ ...output, got: 'b' }] }), [
      'execution X returned b, not a',
    ]);
  });

  it('require a record of each direct call', () => {
    const history = { calls: new Map([['X', acme]]) };
    assert.deepEqual(textsOf(calls, history, { executions: new Map([['X', completed]]) }), []);
    assert.deepEqual(textsOf(calls, history), ['the call X is unknown']);
  });

  it('require that followers receive events once and in order', () => {
    const follow = (sockets: string[][], ulids = sockets.flat(), isWhole = true): string[] =>
      textsOf(
        followers,
        { followed: [{ executionId: 'X', ulids, isWhole, sockets }] },
        { executions: new Map([['X', completed]]) },
      );
    assert.deepEqual(follow([['0', '1']]), []);
    assert.deepEqual(follow([['0'], ['0', '1']], ['0', '1']), []);
    assert.equal(follow([['0']]).length, 1, 'a missing event');
    assert.equal(follow([['1', '0']]).length, 2, 'another order');
    assert.equal(follow([['0', '0', '1']], ['0', '1']).length, 1, 'a repetition');
    assert.equal(follow([['0', '1']], ['0', '1'], false).length, 1, 'no end');
  });

  it('report a run that is listed twice', () => {
    const listed = (...ids: string[]): string[] =>
      textsOf(listsWithoutRepetition, { listed: [{ list: 'executions', ids }] });
    assert.deepEqual(listed('X', 'Y'), []);
    assert.deepEqual(listed('X', 'Y', 'X'), ['executions has an id twice: X']);
  });
});
