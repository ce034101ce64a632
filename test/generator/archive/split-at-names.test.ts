import assert from 'node:assert/strict';
import { splitAtNames } from '../../../generator/archive/split-at-names.ts';

const rest = '.'.repeat(512);

describe('a file is split at names', () => {
  it('behind the last of them', () => {
    const [own, shared] = split(`package acme.text; import acme.text${rest}`, ['acme.text', 'Missing'])!;
    assert.deepEqual([own, shared], ['package acme.text; import acme.text', rest]);
    assert.equal(split(`new Text(); import acme.text${rest}`, ['acme.text', 'Text'])?.[1], rest);
  });

  it('unless it says none, or one so late that little is left', () => {
    assert.equal(split(`no name ${rest}`, ['acme']), undefined);
    assert.equal(split(`acme${rest.slice(1)}`, ['acme']), undefined);
    assert.equal(split('', ['acme']), undefined);
  });
});

function split(text: string, names: string[]): string[] | undefined {
  return splitAtNames(Buffer.from(text), names)?.map((part) => part.toString());
}
