import assert from 'node:assert/strict';
import { createFrameGate } from '../../../../service/nodes/call/frame-gate.ts';

describe('the frame gate', () => {
  it('passes a thousand frames with their positions, and counts the others', () => {
    const gate = createFrameGate();
    const passed = Array.from({ length: 1_003 }, () => gate.pass(1));
    assert.deepEqual(passed.slice(0, 3), [0, 1, 2]);
    assert.deepEqual(passed.slice(998), [998, 999, undefined, undefined, undefined]);
    assert.deepEqual([gate.total(), gate.dropped()], [1_003, 3]);
  });

  it('passes a frame of 64 KiB, but not of one byte more', () => {
    const gate = createFrameGate();
    assert.deepEqual([gate.pass(65_537), gate.pass(65_536)], [undefined, 1]);
    assert.equal(gate.dropped(), 1);
  });

  it('passes 1 MiB in total, and not one byte more', () => {
    const gate = createFrameGate();
    for (let index = 0; index < 16; index += 1) assert.equal(gate.pass(65_536), index);
    assert.equal(gate.pass(1), undefined);
    assert.equal(gate.pass(0), 17);
  });
});
