import assert from 'node:assert/strict';
import { createKnownBytes } from '../../../generator/archive/known-bytes.ts';

describe('known bytes', () => {
  it('are one array when they are equal', () => {
    const known = createKnownBytes(100);
    const first = known(Buffer.from('ab'));
    assert.deepEqual(first, Uint8Array.of(97, 98));
    assert.equal(known(Buffer.from('ab')), first);
    assert.notEqual(known(Buffer.from('ac')), first);
  });

  it('are told apart though their checksums are equal', () => {
    const known = createKnownBytes(100);
    // CRC-32 of both is 4ddb0c25.
    for (const text of ['plumless', 'buckeroo', 'plumless']) {
      assert.equal(String(Buffer.from(known(Buffer.from(text)))), text);
    }
  });

  it('are remembered of those that came last', () => {
    const known = createKnownBytes(100);
    const first = known(Buffer.from('first'));
    for (let number = 0; number < 10; number += 1) known(Buffer.from(`${number}${'-'.repeat(9)}`));
    assert.equal(known(Buffer.from('first')), first, 'among the last 100 to 200 bytes');
    const second = known(Buffer.from('second'));
    for (let number = 0; number < 30; number += 1) known(Buffer.from(`${number}${'+'.repeat(9)}`));
    assert.notEqual(known(Buffer.from('second')), second, 'they are not among them any more');
  });

  it('keep nothing that they were a part of', () => {
    const whole = Buffer.alloc(10_000, 'x');
    assert.equal(createKnownBytes(100)(whole.subarray(0, 5)).buffer.byteLength, 5);
  });
});
