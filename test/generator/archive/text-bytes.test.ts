import assert from 'node:assert/strict';
import { createTextBytes, forgetfulTexts } from '../../../generator/archive/text-bytes.ts';

describe('bytes of texts', () => {
  it('are UTF-8, whatever the length', () => {
    const texts = createTextBytes(100);
    for (const text of ['', 'naïve ✓', '✓'.repeat(20_000)]) {
      assert.equal(Buffer.from(texts.of(text)).toString('utf8'), text);
    }
  });

  it('are the same array for an equal text', () => {
    const texts = createTextBytes(100);
    assert.equal(texts.of(['a', 'b'].join('')), texts.of('ab'));
    assert.notEqual(texts.of('ab'), texts.of('ac'));
  });

  it('are remembered of the texts that came last', () => {
    const texts = createTextBytes(100);
    const first = texts.of('first');
    for (let number = 0; number < 10; number += 1) texts.of(`${number}${'-'.repeat(9)}`);
    assert.equal(texts.of('first'), first, 'among the last 100 to 200 characters');
    const second = texts.of('second');
    for (let number = 0; number < 30; number += 1) texts.of(`${number}${'+'.repeat(9)}`);
    assert.notEqual(texts.of('second'), second, 'it is not among them any more');
  });

  it('of long texts are made anew', () => {
    const texts = createTextBytes(1_000_000);
    assert.equal(texts.of('x'.repeat(16_383)), texts.of('x'.repeat(16_383)));
    assert.notEqual(texts.of('x'.repeat(16_384)), texts.of('x'.repeat(16_384)));
  });

  it('are the texts themselves where nothing is remembered', () => {
    assert.equal(forgetfulTexts.of('ab'), 'ab');
  });
});
