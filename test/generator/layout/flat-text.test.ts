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
  it('is what the printer prints', () => {
    let found = 0;
    fc.assert(
      fc.property(layout, fc.integer({ min: 1, max: 30 }), (each, width) => {
        const text = flatText(each, width);
        if (text === undefined) return;
        found += 1;
        const printed = printer.printDocToString(each, {
          printWidth: width,
          tabWidth: 2,
          useTabs: false,
        });
        assert.equal(text, printed.formatted);
      }),
      { numRuns: 2000 },
    );
    assert.ok(found > 200, `${found} layouts were flat`);
  });

  it('is not known of what breaks, or may', () => {
    assert.equal(flatText(['a', hardline], 80), undefined);
    assert.equal(flatText(['a', line, 'b'], 80), undefined);
    assert.equal(flatText(group(['a', line, 'b']), 2), undefined);
    assert.equal(flatText(group(['a', line, 'b']), 3), 'a b');
    assert.equal(flatText(group('漢'), 80), undefined);
  });
});
