import assert from 'node:assert/strict';
import fc from 'fast-check';
import { memberSources } from '../../../service/http/member-sources.ts';

const sources = (json: string): Record<string, string> => Object.fromEntries(memberSources(json));

describe('the members of a JSON object as they were written', () => {
  it('keep their text to the character', () => {
    assert.deepEqual(sources('{ "input" : {"n": 9007199254740993, "f": 1.50 } ,"b":\n[1, 2]\t}'), {
      input: '{"n": 9007199254740993, "f": 1.50 }',
      b: '[1, 2]',
    });
  });

  it('are not confused by what strings hold', () => {
    assert.deepEqual(sources('{"a":"}{,:\\"\\\\","b\\"c":"[","d":{"a":1}}'), {
      a: '"}{,:\\"\\\\"',
      'b"c': '"["',
      d: '{"a":1}',
    });
  });

  it('go by the last of a repeated key', () => {
    assert.deepEqual(sources('{"a":1,"a":{"b":2}}'), { a: '{"b":2}' });
  });

  it('may be none', () => {
    assert.deepEqual(sources(' { } '), {});
  });

  it('parse to what the whole text parses to', () => {
    const spaced = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, '\t'));
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const json = JSON.stringify(value, null, space);
        const parsed = [...memberSources(json)].map(([key, text]) => [key, JSON.parse(text) as unknown]);
        assert.deepEqual(parsed, Object.entries(JSON.parse(json) as object));
      }),
    );
  });
});
