import assert from 'node:assert/strict';
import { limits } from '../../../../specs/limits.ts';
import { recordOf } from '../../../../service/engine/pauses/read-decision.ts';

describe('the record of a decision', () => {
  it('includes decisions of up to 64 KiB', () => {
    const text = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));
    assert.deepEqual(recordOf(text(limits.recordedDecisionBytes)), {
      value: text(limits.recordedDecisionBytes),
    });
    assert.deepEqual(recordOf(text(limits.recordedDecisionBytes + 1)), {});
  });
});
