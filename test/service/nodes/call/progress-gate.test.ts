import assert from 'node:assert/strict';
import { createProgressGate } from '../../../../service/nodes/call/progress-gate.ts';
import { manualClock } from '../../../support/manual-clock.ts';

describe('the progress gate', () => {
  const clock = manualClock();
  const open = (): ReturnType<typeof createProgressGate> => createProgressGate(() => clock.now());
  const passed = (gate: ReturnType<typeof createProgressGate>, count: number): number =>
    Array.from({ length: count }, () => gate.pass('{}')).filter((seq) => seq !== undefined).length;

  it('passes a burst of 50 frames, then 10 per second', () => {
    const gate = open();
    assert.equal(passed(gate, 60), 50);
    clock.advance(99);
    assert.equal(passed(gate, 1), 0);
    clock.advance(1);
    assert.equal(passed(gate, 2), 1);
    clock.advance(1000);
    assert.equal(passed(gate, 20), 10);
    clock.advance(3_600_000);
    assert.equal(passed(gate, 60), 50);
  });

  it('numbers every frame, including dropped ones, and counts the dropped ones', () => {
    const gate = open();
    assert.equal(gate.pass('{}'), 0);
    assert.equal(passed(gate, 51), 49);
    assert.equal(gate.dropped(), 2);
    clock.advance(100);
    assert.equal(gate.pass('{}'), 52);
  });

  it('drops frames of more than 64 KiB of UTF-8', () => {
    const gate = open();
    assert.equal(gate.pass('x'.repeat(65_536)), 0);
    assert.equal(gate.pass('x'.repeat(65_537)), undefined);
    assert.equal(gate.pass('é'.repeat(32_769)), undefined);
    assert.equal(gate.dropped(), 2);
  });

  it('passes no more frames when the clock goes backwards', () => {
    const gate = open();
    passed(gate, 50);
    clock.advance(-10_000);
    assert.equal(gate.pass('{}'), undefined);
  });
});
