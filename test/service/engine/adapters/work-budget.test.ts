import assert from 'node:assert/strict';
import { threadMs } from '../../../../service/work/thread-time.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { openShop } from './orders.ts';
import type { Shop } from './orders.ts';

const tooExpensive = (field: string): string =>
  `field "${field}": the expression is too expensive to evaluate on this input: move such work into a node`;

/** An expression that doubles the length of a text with every call. */
const doubling = (times: number): string => `title${' | replace("a", "aa")'.repeat(times)}`;
const celDoubling = (times: number): string => `title${".replace('a', 'aa')".repeat(times)}`;

describe('the work budget of a mapping', () => {
  let shop: Shop;
  before(async () => {
    shop = await openShop();
  });
  const order = JSON.stringify({ title: 'a' });
  /** The length of the text, or of the error. */
  const lengthOf = (adapter: Record<string, string>): number => {
    const given = shop.map(adapter, order);
    return given.startsWith('{')
      ? String((JSON.parse(given) as { text?: string }).text).length
      : given.length;
  };
  // Long texts stay out of the messages of assertions.
  const assertTooExpensive = (given: string, field: string): void =>
    assert.equal(given.slice(0, 200), tooExpensive(field));

  it('rejects a chain that doubles a text too often, and permits a slightly shorter one', () => {
    const startedAt = threadMs();
    assertTooExpensive(shop.map({ text: doubling(30) }, order), 'text');
    assertTooExpensive(shop.map({ text: `cel("${celDoubling(30)}")` }, order), 'text');
    assert.ok(threadMs() - startedAt < 2_000);
    assert.equal(lengthOf({ text: doubling(18) }), 2 ** 18);
    assertTooExpensive(shop.map({ text: doubling(19) }, order), 'text');
    assert.equal(lengthOf({ text: `cel("${celDoubling(17)}")` }), 2 ** 17);
    assertTooExpensive(shop.map({ text: `cel("${celDoubling(19)}")` }, order), 'text');
  });

  it('is shared by transforms, CEL, regular expressions and all fields', () => {
    const half = doubling(17);
    assert.equal(lengthOf({ text: half, note: half }), 2 ** 17);
    assertTooExpensive(shop.map({ text: half, note: half, card: half }, order), 'text');
    assertTooExpensive(shop.map({ text: half, note: `cel("${celDoubling(18)}")` }, order), 'text');
    assertTooExpensive(shop.map({ text: `${half} | regex_replace("a", "b")` }, order), 'text');
  });

  it('is shared by all edges of a compose plan', () => {
    const fields = ['text', 'note', 'card'];
    const plan = ['x', 'y', 'z'].map((edge, index) => ({
      edge,
      field: fields[index]!,
      expression: doubling(17),
    }));
    const orders = { x: order, y: order, z: order };
    assert.ok(shop.compose(plan.slice(0, 2), orders).startsWith('{"text":"a'));
    assertTooExpensive(shop.compose(plan, orders), 'text');
  });

  itSlow('charges more for iterating over the keys of a map than over the elements of a list', () => {
    const count = 110_000;
    const keys = Array.from({ length: count }, (_, index) => `k${index}`);
    const large = JSON.stringify({ tags: keys, amounts: Object.fromEntries(keys.map((key) => [key, '1'])) });
    assert.equal(shop.map({ flag: 'cel("tags.exists(tag, true)")' }, large), '{"flag":true}');
    assertTooExpensive(shop.map({ flag: 'cel("amounts.exists(key, true)")' }, large), 'flag');
    const tenth = JSON.stringify({
      amounts: Object.fromEntries(keys.slice(0, count / 10).map((key) => [key, '1'])),
    });
    assert.equal(shop.map({ flag: 'cel("amounts.all(key, amounts[key] == 1)")' }, tenth), '{"flag":true}');
  });

  it('permits several passes over 1 MiB of text', () => {
    const long = JSON.stringify({ title: ` ${'some ordinary words '.repeat(52_429)}` });
    for (const expression of [
      'title | upper',
      'title | trim | lower | suffix("!")',
      'title | replace("words", "texts")',
      'title | regex_replace("foo|bar", "")',
      'cel("title.upperAscii()")',
      'cel("title.trim()")',
      "cel(\"title.matches('foo|bar') ? '' : title\")",
      "cel(\"title.replace('words', 'texts')\")",
    ]) {
      const given = shop.map({ text: expression }, long);
      assert.ok(given.length > 2 ** 20, `${expression}: ${given.slice(0, 200)}`);
    }
  });
});
