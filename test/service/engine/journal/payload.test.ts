import assert from 'node:assert/strict';
import { loadPayloads } from '../../../../service/engine/journal/payload.ts';
import { type ActiveStep, newRunState } from '../../../../service/engine/journal/state.ts';

describe('the messages that a run continues from', () => {
  it('are read once per blob, even if several steps and arrivals reference it', async () => {
    const state = newRunState('run');
    const large = (blob: string) => ({ blob, size: 65_537 });
    const step = { attempt: 1, startedAt: 0, progressDropped: 0 };
    const rest = { retryAt: undefined, resumed: undefined, asks: undefined };
    for (const number of [0, 1, 2]) {
      const place = { step: number, node: `n${number}`, branch: 'run' };
      const input = number === 2 ? new Uint8Array([7]) : large('shared');
      state.active.set(number, { ...step, ...place, ...rest, input } satisfies ActiveStep);
    }
    const arrivals = ['shared', 'other'].map((blob) => ({ edge: blob, branch: 'run', payload: large(blob) }));
    state.joins.set('j', { arrivals, late: new Set() });

    const read: string[] = [];
    await loadPayloads(state, ({ blob }) => {
      read.push(blob);
      return Promise.resolve(new TextEncoder().encode(blob));
    });

    assert.deepEqual(read, ['shared', 'other']);
    const inputs = [...state.active.values()].map(({ input }) => input);
    assert.deepEqual(inputs[0], new TextEncoder().encode('shared'));
    assert.equal(inputs[1], inputs[0]);
    assert.deepEqual(inputs[2], new Uint8Array([7]));
    assert.equal(arrivals[0]?.payload, inputs[0]);
    assert.deepEqual(arrivals[1]?.payload, new TextEncoder().encode('other'));
  });
});
