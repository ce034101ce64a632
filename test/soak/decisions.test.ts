import assert from 'node:assert/strict';
import { decisions } from './checks/decisions.ts';
import { escalations } from './checks/escalations.ts';
import type { ShownExecution, StoredPause } from './evidence/evidence.ts';
import type { SeenDecision } from './history.ts';
import { textsOf } from './sound-soak.ts';

describe('the soak check of decisions', () => {
  const first: SeenDecision = {
    executionId: 'X',
    pauseId: 'P',
    value: 'first',
    sentAt: 1_000,
    expiresAt: 2_000,
    status: 200,
    isRepeated: false,
    winner: 'first',
  };
  const second: SeenDecision = { ...first, value: 'second', isRepeated: true };
  const pause: StoredPause = {
    id: 'P',
    executionId: 'X',
    status: 'RESUMED',
    expiresAt: 2_000,
    resumedAt: 1_100,
    escalatedAt: undefined,
    decision: 'first',
  };
  const run = (decision: string, ...types: string[]): ShownExecution => ({
    status: 'COMPLETED',
    hasEnded: true,
    events: [
      ...types.map((type, n) => ({ type, event_ulid: String(n), pause_id: 'P' })),
      { type: 'FLOW_COMPLETED', event_ulid: '9', output: { decision } },
    ],
  });
  const check = (
    seen: SeenDecision[],
    stored: Partial<StoredPause> = {},
    shown = run('first', 'HITL_RESUMED'),
  ): string[] =>
    textsOf(
      decisions,
      { decisions: seen },
      { pauses: [{ ...pause, ...stored }], executions: new Map([['X', shown]]) },
    );

  it('requires one winner, which every response names', () => {
    assert.deepEqual(check([first, second]), []);
    assert.deepEqual(check([first, { ...second, isRepeated: false }]), [
      'pause P of X: 2 decisions came first',
    ]);
    assert.equal(check([first, { ...second, winner: 'second' }]).length, 1);
  });

  it('requires that the winner is stored', () => {
    assert.equal(check([first], { status: 'EXPIRED', resumedAt: undefined, decision: undefined }).length, 2);
    assert.ok(check([first], { decision: 'second' }).length > 0);
  });

  it('reports a decision made after the pause expired', () => {
    assert.deepEqual(check([{ ...first, sentAt: 2_001 }]), [
      'pause P of X: a decision was sent 1 ms too late, and won',
    ]);
    assert.deepEqual(check([], { resumedAt: 2_001 }), [
      'pause P of X: it was decided at 2001, and had expired at 2000',
    ]);
  });

  it('requires that the winner reaches the node once', () => {
    assert.equal(check([first], {}, run('second', 'HITL_RESUMED')).length, 1);
    assert.equal(check([first], {}, run('first', 'HITL_RESUMED', 'HITL_RESUMED')).length, 1);
    assert.equal(check([first], {}, run('first')).length, 1);
  });

  it('requires the recorded escalation in the history, once and before the decision', () => {
    const escalated = (escalatedAt: number | undefined, ...types: string[]): string[] =>
      textsOf(
        escalations,
        {},
        { pauses: [{ ...pause, escalatedAt }], executions: new Map([['X', run('first', ...types)]]) },
      );
    const [escalation, end] = ['ESCALATION_TRIGGERED', 'HITL_RESUMED'];
    assert.deepEqual(escalated(undefined, 'HITL_PAUSED', end), []);
    assert.deepEqual(escalated(1_050, 'HITL_PAUSED', escalation, end), []);
    assert.deepEqual(escalated(1_050, escalation, escalation, end), [
      'pause P of X has 2 escalations in its history, and 1 in its record',
    ]);
    assert.equal(escalated(undefined, escalation, end).length, 1);
    assert.equal(escalated(1_050, end).length, 1);
    assert.equal(escalated(1_050, end, escalation).length, 1, 'after its end');
    assert.equal(escalated(2_050, escalation, end).length, 1, 'after it has expired');
  });
});
