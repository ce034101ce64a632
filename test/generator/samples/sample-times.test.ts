import assert from 'node:assert/strict';
import {
  calendarParts,
  durationParts,
  epochParts,
  signedParts,
} from '../../../generator/samples/sample-times.ts';

describe('the parts of a sample time', () => {
  it('include the sign, seconds and nanoseconds of a duration', () => {
    assert.deepEqual(durationParts('-1.5s'), { sign: '-', seconds: '1', nanos: '500000000' });
    assert.deepEqual(durationParts('12s'), { sign: '', seconds: '12', nanos: '0' });
  });

  it('repeat the sign of a duration on each nonzero part', () => {
    assert.deepEqual(signedParts(durationParts('-0.000000001s')), ['0', '-1']);
  });

  it('include the Unix seconds and nanoseconds of a timestamp', () => {
    assert.deepEqual(epochParts('2026-01-31T09:30:00.25Z'), ['1769851800', '250000000']);
    assert.deepEqual(epochParts('1969-12-31T23:59:59Z'), ['-1', '0']);
  });

  it('include the numbers of a date without leading zeros', () => {
    const { date, nanos } = calendarParts('2026-01-31T09:30:00Z');
    assert.deepEqual([date, nanos], [['2026', '1', '31', '9', '30', '0'], '0']);
  });
});
