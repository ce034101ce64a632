import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rawMembers } from '../../../../service/http/request/raw-members.ts';

const sources = (json: string): Record<string, string> => Object.fromEntries(rawMembers(json));

describe('raw members of a JSON object', () => {
  it('keep their exact text', () => {
    assert.deepEqual(sources('{ "input" : {"n": 9007199254740993, "f": 1.50 } ,"b":\n[1, 2]\t}'), {
      input: '{"n": 9007199254740993, "f": 1.50 }',
      b: '[1, 2]',
    });
  });

  it('are found despite structural characters in strings', () => {
    assert.deepEqual(sources('{"a":"}{,:\\"\\\\","b\\"c":"[","d":{"a":1}}'), {
      a: '"}{,:\\"\\\\"',
      'b"c': '"["',
      d: '{"a":1}',
    });
  });

  it('are the last ones of repeated keys', () => {
    assert.deepEqual(sources('{"a":1,"a":{"b":2}}'), { a: '{"b":2}' });
  });

  it('may be absent', () => {
    assert.deepEqual(sources(' { } '), {});
  });

  it('parse to the members of the parsed object', () => {
    const spaced = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, '\t'));
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const json = JSON.stringify(value, null, space);
        const parsed = [...rawMembers(json)].map(([key, text]) => [key, JSON.parse(text) as unknown]);
        assert.deepEqual(parsed, Object.entries(JSON.parse(json) as object));
      }),
    );
  });
});
