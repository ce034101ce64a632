import assert from 'node:assert/strict';
import fc from 'fast-check';
import { builders, printer } from 'prettier/doc';
import { flatText } from '../../../generator/layout/flat-text.ts';
import type { Layout } from '../../../generator/layout/print-layout.ts';

const { align, fill, group, hardline, ifBreak, indent, indentIfBreak, line, softline } = builders;

const { layout } = fc.letrec<{ layout: Layout }>((tie) => ({
  layout: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Layout>('a', 'word, ', '(', ')', 'é', '漢', '', line, softline, hardline),
    fc.array(tie('layout'), { maxLength: 4 }),
    tie('layout').map((each) => group(each)),
    tie('layout').map((each) => group(each, { shouldBreak: true })),
    tie('layout').map((each) => indent(each)),
    tie('layout').map((each) => align(2, each)),
    tie('layout').map((each) => fill([each, line, each])),
    fc.tuple(tie('layout'), tie('layout')).map(([one, other]) => ifBreak(one, other)),
    tie('layout').map((each) => {
      const id = Symbol('group');
      return [group(each, { id }), indentIfBreak(each, { groupId: id })];
    }),
  ),
}));

describe('the flat text of a layout', () => {
  it('equals the output of the printer', () => {
    let found = 0;
    fc.assert(
      fc.property(layout, fc.integer({ min: 1, max: 30 }), (each, width) => {
        const text = flatText(each, { width, indent: 2 });
        if (text === undefined) return;
        found += 1;
        const printed = printer.printDocToString(each, {
          printWidth: width,
          tabWidth: 2,
          useTabs: false,
        });
        assert.equal(text, printed.formatted);
      }),
      { numRuns: 4000 },
    );
    assert.ok(found > 200, `${found} layouts were flat`);
  });

  it('is undefined for a layout that may break', () => {
    assert.equal(flatText(group(['a', line, 'b']), { width: 2, indent: 2 }), undefined);
    assert.equal(flatText(group(['a', line, 'b']), { width: 3, indent: 2 }), 'a b');
    assert.equal(flatText(group('漢'), { width: 80, indent: 2 }), undefined);
  });

  it('preserves hard line breaks', () => {
    const block = group(['{', indent([line, 'a', hardline, group(['b', line, 'c'])]), softline, '}']);
    assert.equal(flatText(block, { width: 80, indent: 2 }), '{\n  a\n  b c\n}');
    assert.equal(flatText(block, { width: 4, indent: 2 }), undefined);
  });
});
