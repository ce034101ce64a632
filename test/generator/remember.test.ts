import assert from 'node:assert/strict';
import { createMemory } from '../../generator/remember.ts';

describe('memory of what was made', () => {
  it('gives what was made of the same subject in the same words', () => {
    const memory = createMemory<object, string>();
    const subject = {};
    assert.equal(
      memory.recall(subject, 'en', () => 'first'),
      'first',
    );
    assert.equal(
      memory.recall(subject, 'en', () => 'second'),
      'first',
    );
  });

  it('tells subjects and words apart', () => {
    const memory = createMemory<object, string>();
    const subject = {};
    memory.set(subject, 'en', 'word');
    assert.equal(memory.get(subject, 'de'), undefined);
    assert.equal(memory.get({}, 'en'), undefined);
  });

  it('remembers nothing without words', () => {
    const memory = createMemory<object, string>();
    const subject = {};
    memory.recall(subject, undefined, () => 'first');
    assert.equal(
      memory.recall(subject, undefined, () => 'second'),
      'second',
    );
  });

  it('keeps as many forms as it is told to', () => {
    const memory = createMemory<object, number>(2);
    const subject = {};
    for (const form of [0, 1, 2]) memory.set(subject, String(form), form);
    assert.deepEqual(
      ['0', '1', '2'].map((words) => memory.get(subject, words)),
      [undefined, 1, 2],
    );
  });

  it('forgets the oldest of very many forms', () => {
    const memory = createMemory<object, number>();
    const subject = {};
    for (let form = 0; form < 100; form += 1) memory.set(subject, String(form), form);
    assert.equal(memory.get(subject, '0'), undefined);
    assert.equal(memory.get(subject, '99'), 99);
  });
});
