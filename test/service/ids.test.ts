import assert from 'node:assert/strict';
import { callEventId, ulidAfter } from '../../service/ids.ts';

const executionId = '019f2b6e8c7d00010123456789abcdef';

describe('the id of an event of a direct call', () => {
  it('is a ULID of the time, the place and the random bits of the execution', () => {
    assert.equal(callEventId(executionId, { at: 0, place: 0 }), '000000000000000025CY4TQKFF');
    assert.equal(callEventId(executionId, { at: 1, place: 0xffff_ffff }), '0000000001ZZZZZZT5CY4TQKFF');
  });

  it('is ordered by time, then by place', () => {
    const ids = [
      { at: 1_769_851_800_000, place: 0 },
      { at: 1_769_851_800_000, place: 1 },
      { at: 1_769_851_800_000, place: 255 },
      { at: 1_769_851_800_000, place: 256 },
      { at: 1_769_851_800_000, place: 0xffff_fffe },
      { at: 1_769_851_800_001, place: 0 },
    ].map((event) => callEventId(executionId, event));
    assert.deepEqual(ids, ids.toSorted());
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
  });
});

describe('a ULID that follows another one', () => {
  const [earlier, later] = ['01KB9Y0000AAAAAAAAAAAAAAAA', '01KB9Y0001BBBBBBBBBBBBBBBB'];

  it('is the next ULID of the process if that is greater', () => {
    assert.equal(ulidAfter('', earlier), earlier);
    assert.equal(ulidAfter(earlier, later), later);
  });

  it('has a later time if the clock of the other process was ahead', () => {
    assert.equal(ulidAfter(later, earlier), '01KB9Y0002AAAAAAAAAAAAAAAA');
    assert.equal(ulidAfter(later, later), '01KB9Y0002BBBBBBBBBBBBBBBB');
  });
});
