import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planScope, type ScopeRules, type SymbolRequest } from '../../../generator/names/plan-scope.ts';

const free: ScopeRules = { reserved: new Set() };

describe('a scope', () => {
  it('gives every symbol its intended name if it is unique', () => {
    assert.deepEqual(
      plan([
        { id: 'tokenize', intended: 'tokenize' },
        { id: 'count', intended: 'count' },
      ]),
      { tokenize: 'tokenize', count: 'count' },
    );
  });

  it('numbers symbols with the same intended name, in the order of their ids', () => {
    const symbols = ['a_b', 'a-b', 'aB'].map((id) => ({ id, intended: 'aB' }));
    assert.deepEqual(plan(symbols), { 'a-b': 'aB', aB: 'aB2', a_b: 'aB3' });
  });

  it('reserves a numbered name for the symbol that intends it', () => {
    const symbols = [
      { id: 'a-b', intended: 'aB' },
      { id: 'a_b', intended: 'aB' },
      { id: 'z', intended: 'aB2' },
    ];
    assert.deepEqual(plan(symbols), { 'a-b': 'aB', a_b: 'aB3', z: 'aB2' });
  });

  it('separates a number from a trailing digit', () => {
    const symbols = ['x', 'y'].map((id) => ({ id, intended: 'word2' }));
    assert.deepEqual(plan(symbols), { x: 'word2', y: 'word2_2' });
  });

  it('numbers an escaped name without its underscore if the language asks for it', () => {
    const symbols = ['x', 'y'].map((id) => ({ id, intended: 'class' }));
    const rules = { reserved: new Set(['class']), numbersWithoutUnderscore: true };
    assert.deepEqual(plan(symbols, rules), { x: 'class_', y: 'class2' });
  });

  it('tries alternatives before numbers', () => {
    const symbols = [
      { id: 'a.Word', intended: 'Word', alternatives: () => ['AWord'] },
      { id: 'b.Word', intended: 'Word', alternatives: () => ['BWord'] },
    ];
    assert.deepEqual(plan(symbols), { 'a.Word': 'Word', 'b.Word': 'BWord' });
  });

  it('escapes reserved names', () => {
    const reserved = new Set(['class', 'class_']);
    assert.deepEqual(plan([{ id: 'x', intended: 'class' }], { reserved }), { x: 'class_2' });
    const escape = (name: string): string => `r#${name}`;
    assert.deepEqual(plan([{ id: 'x', intended: 'class' }], { reserved, escape }), { x: 'r#class' });
  });

  it('numbers names that differ only in case, if the scope is case-insensitive', () => {
    const symbols = [
      { id: 'a', intended: 'Index' },
      { id: 'b', intended: 'index' },
    ];
    assert.deepEqual(plan(symbols), { a: 'Index', b: 'index' });
    assert.deepEqual(plan(symbols, { ...free, caseInsensitive: true }), { a: 'Index', b: 'index2' });
  });

  it('avoids clashes with derived names', () => {
    const symbols = [
      { id: 'a', intended: 'Result' },
      { id: 'b', intended: 'ResultBuilder' },
    ];
    const derived = (name: string): string[] => [`${name}Builder`];
    assert.deepEqual(plan(symbols, { ...free, derived }), { a: 'Result', b: 'ResultBuilder2' });
    assert.deepEqual(plan([{ id: 'a', intended: 'X' }], { reserved: new Set(['XBuilder']), derived }), {
      a: 'X2',
    });
  });

  it('preserves previously assigned names', () => {
    const symbols = ['a-b', 'a_b'].map((id) => ({ id, intended: 'aB' }));
    const kept = new Map([
      ['a_b', 'aB'],
      ['gone', 'aB2'],
    ]);
    assert.deepEqual(plan(symbols, { ...free, kept }), { 'a-b': 'aB2', a_b: 'aB' });
  });

  it('rejects two symbols with the same id', () => {
    const symbols = ['a', 'a'].map((id) => ({ id, intended: 'b' }));
    assert.throws(() => plan(symbols), /ids of a scope repeat: a/);
  });

  it('never renames an existing symbol when new ones are added', () => {
    fc.assert(
      fc.property(symbolLists, symbolLists, (old, added) => {
        const before = planScope(old, hardRules);
        const known = new Set(old.map(({ id }) => id));
        const fresh = added.filter(({ id }) => !known.has(id)).map((each) => ({ ...each, since: 2 }));
        const after = planScope([...old, ...fresh], hardRules);
        for (const [id, name] of before) assert.equal(after.get(id), name);
      }),
    );
  });

  it('separates a number from a trailing digit by the rule of the language', () => {
    const like = ['a', 'b', 'c'].map((id) => ({ id, intended: 'word2' }));
    assert.deepEqual(plan(like), { a: 'word2', b: 'word2_2', c: 'word2_3' });
    assert.deepEqual(plan(like, { ...free, beforeNumber: (name) => `${name}Call` }), {
      a: 'word2',
      b: 'word2Call2',
      c: 'word2Call3',
    });
  });

  it('assigns the same distinct, unreserved names for any order of symbols', () => {
    fc.assert(
      fc.property(symbolLists, fc.nat(), (symbols, seed) => {
        const names = planScope(symbols, hardRules);
        const claimed = [...names.values()].flatMap((name) => [name, `${name}x`]);
        assert.equal(new Set(claimed.map((name) => name.toLowerCase())).size, claimed.length);
        for (const name of claimed) assert.ok(!hardRules.reserved.has(name), name);
        const rotation = symbols.length === 0 ? 0 : seed % symbols.length;
        const rotated = [...symbols.slice(rotation), ...symbols.slice(0, rotation)].reverse();
        assert.deepEqual(new Map(planScope(rotated, hardRules)), new Map(names));
      }),
    );
  });
});

const hardRules: ScopeRules = {
  reserved: new Set(['a', 'b2', 'Bx']),
  caseInsensitive: true,
  derived: (name) => [`${name}x`],
};

const symbolLists = fc.uniqueArray(
  fc.record({
    id: fc.string({ maxLength: 3 }),
    intended: fc.stringMatching(/^[aAbB][x2]?[x2]?$/),
    alternatives: fc.array(fc.stringMatching(/^[aAbB][x2]?$/), { maxLength: 2 }).map((names) => () => names),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);

function plan(symbols: SymbolRequest[], rules = free): Record<string, string> {
  return Object.fromEntries(planScope(symbols, rules));
}
