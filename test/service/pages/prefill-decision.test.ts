import assert from 'node:assert/strict';
import { prefillDecision } from '../../../service/pages/prefill-decision.ts';

describe('the prefilled decision of a form', () => {
  const skeleton = { bed: '', litres: 0, spray: false, tags: [], plan: { days: 0, note: '' }, by: null };
  const unset = { ...skeleton, plan: null };
  const prefilled = (question: string): unknown =>
    JSON.parse(prefillDecision(JSON.stringify(skeleton), question));

  it('contains the values of the question under the same names', () => {
    assert.deepEqual(
      prefilled(
        '{"bed":"a","litres":2.5,"spray":true,"tags":["x"],"plan":{"days":3,"other":1},"reason":"few pests"}',
      ),
      { bed: 'a', litres: 2.5, spray: true, tags: ['x'], plan: { days: 3, note: '' }, by: null },
    );
  });

  it('contains the values of the question under proto names', () => {
    const empty = JSON.stringify({ euroCents: 0, plan: { bedNumber: 0 } });
    const question = '{"euro_cents":"23","plan":{"bed_number":2,"bedNumber":3}}';
    assert.deepEqual(JSON.parse(prefillDecision(empty, question)), {
      euroCents: '23',
      plan: { bedNumber: 3 },
    });
  });

  it('leaves fields empty that are missing or of another type in the question', () => {
    assert.deepEqual(
      prefilled('{"bed":1,"litres":"two","spray":null,"tags":{},"plan":[],"by":"ann"}'),
      unset,
    );
    for (const question of ['', '{}', '[]', '"bed"', 'null', '{"constructor":{"days":1}}']) {
      assert.deepEqual(prefilled(question), unset, question);
    }
  });

  it('sets a message only if the question contains it', () => {
    const nested = JSON.stringify({ plan: { bed: { number: 0 } }, other: { note: '' }, empty: {} });
    assert.deepEqual(JSON.parse(prefillDecision(nested, '{"plan":{},"empty":{}}')), {
      plan: { bed: null },
      other: null,
      empty: {},
    });
  });

  it('accepts integers that ProtoJSON encodes as strings', () => {
    assert.deepEqual(prefilled('{"litres":"2673930"}'), { ...unset, litres: '2673930' });
    assert.deepEqual(prefilled('{"litres":"-9223372036854775808"}'), {
      ...unset,
      litres: '-9223372036854775808',
    });
  });

  it('omits numbers that a script would round', () => {
    assert.deepEqual(prefilled('{"litres":9007199254740993}'), unset);
    assert.deepEqual(prefilled('{"litres":9007199254740991}'), { ...unset, litres: 9007199254740991 });
  });
});
