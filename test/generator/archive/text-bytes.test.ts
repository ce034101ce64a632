import assert from 'node:assert/strict';
import { createTextBytes, forgetfulTexts } from '../../../generator/archive/text-bytes.ts';
import type { FileContent } from '../../../generator/language.ts';

describe('content of files', () => {
  it('is UTF-8, whatever the length', () => {
    const texts = createTextBytes(100);
    for (const text of ['', 'naïve ✓', '✓'.repeat(20_000)]) {
      assert.equal(textOf(texts.of({ text }, [])), text);
    }
  });

  it('is the same for what was printed before, and the same array for an equal text', () => {
    const texts = createTextBytes(100);
    const printed = { text: 'ab' };
    assert.equal(texts.of(printed, []), texts.of(printed, []));
    assert.equal(texts.of({ text: ['a', 'b'].join('') }, []).content, texts.of(printed, []).content);
    assert.notEqual(texts.of({ text: 'ac' }, []).content, texts.of(printed, []).content);
  });

  it('of long texts is made anew', () => {
    const texts = createTextBytes(1_000_000);
    const contentOf = (length: number): unknown => texts.of({ text: 'x'.repeat(length) }, []).content;
    assert.equal(contentOf(16_383), contentOf(16_383));
    assert.notEqual(contentOf(16_384), contentOf(16_384));
  });

  it('is split behind the names of the client, into parts that other clients have too', () => {
    const texts = createTextBytes(10_000);
    const rest = ' says the same. '.repeat(50);
    const ofClient = (name: string): FileContent =>
      texts.of({ text: `${name}, ${name}${rest}` }, ['-', name]);
    const [own, other] = [ofClient('words'), ofClient('terms')];
    assert.deepEqual(
      own.parts?.map((part) => Buffer.from(part).toString()),
      ['words, words', rest],
    );
    assert.equal(own.parts[1], other.parts?.[1]);
    assert.equal(textOf(other), `terms, terms${rest}`);
  });

  it('is split otherwise for a client that is called otherwise, and not where little is left', () => {
    const texts = createTextBytes(10_000);
    const printed = { text: `a b${'-'.repeat(512)}` };
    const partsFor = (name: string): number[] | undefined =>
      texts.of(printed, [name]).parts?.map(({ length }) => length);
    assert.deepEqual(partsFor('a'), [1, 514]);
    assert.deepEqual(partsFor('b'), [3, 512]);
    assert.deepEqual(partsFor('b-'), undefined, '511 bytes are left');
    assert.deepEqual(partsFor('c'), undefined);
  });

  it('is split in the same way where nothing is remembered', () => {
    assert.deepEqual(forgetfulTexts.of({ text: 'ab' }, ['a']), { content: 'ab' });
    const printed = { text: `ä${'✓'.repeat(300)}` };
    assert.deepEqual(
      forgetfulTexts.of(printed, ['ä']).parts?.map(({ length }) => length),
      [2, 900],
    );
  });
});

function textOf({ content }: FileContent): string {
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
}
