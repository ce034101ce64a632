import assert from 'node:assert/strict';
import { jsonOfSample } from '../../../generator/model/json-of-sample.ts';

describe('the JSON of a sample', () => {
  it('is on one line, whatever the sample is', () => {
    assert.equal(
      jsonOfSample({ text: 'a\nb', list: [1, null] }),
      String.raw`{"text":"a\nb","list":[1,null]}`,
    );
    assert.equal(jsonOfSample(null), 'null');
    assert.equal(jsonOfSample('1.500s'), '"1.500s"');
  });

  it('is each sample its own', () => {
    assert.equal(jsonOfSample({ text: 'a' }), '{"text":"a"}');
    assert.equal(jsonOfSample({ text: 'b' }), '{"text":"b"}');
  });
});
