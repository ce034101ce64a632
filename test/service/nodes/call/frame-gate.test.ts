import assert from 'node:assert/strict';
import { createFrameGate } from '../../../../service/nodes/call/frame-gate.ts';

describe('the frame gate', () => {
  it('passes 1,000 frames with their positions, and counts the dropped ones', () => {
    const gate = createFrameGate();
    const passed = Array.from({ length: 1_003 }, () => gate.pass(1));
    assert.deepEqual(passed.slice(0, 3), [0, 1, 2]);
    assert.deepEqual(passed.slice(998), [998, 999, undefined, undefined, undefined]);
    assert.deepEqual([gate.total(), gate.dropped()], [1_003, 3]);
  });

  it('passes frames of up to 64 KiB', () => {
    const gate = createFrameGate();
    assert.deepEqual([gate.pass(65_537), gate.pass(65_536)], [undefined, 1]);
    assert.equal(gate.dropped(), 1);
  });

  it('passes up to 1 MiB in total', () => {
    const gate = createFrameGate();
    for (let index = 0; index < 16; index += 1) assert.equal(gate.pass(65_536), index);
    assert.equal(gate.pass(1), undefined);
    assert.equal(gate.pass(0), 17);
  });
});
