import assert from 'node:assert/strict';
import { docComment } from '../../../../generator/languages/java/doc-comment.ts';
import { measured, print } from '../../../../generator/languages/java/layout.ts';
import { stringLiteral } from '../../../../generator/languages/java/literals.ts';
import { packageNames } from '../../../../generator/languages/java/package-names.ts';
import { planNames } from '../../../../generator/languages/java/plan-names.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

describe('the class of a Java client', () => {
  it('is named after the slug, without repeating Client', async () => {
    const model = await loadSdkFixture('basic');
    const named = (slug: string): string =>
      packageNames({ ...model, client: { ...model.client, handle: 'acme', slug } }).clientClass;
    assert.equal(named('shop'), 'ShopClient');
    assert.equal(named('shop-client'), 'ShopClient');
    assert.equal(named('client'), 'Client');
    assert.equal(named('democlient'), 'DemoclientClient');
    assert.equal(named(`${'x'.repeat(80)}-client`).length, 60);
  });

  it('keeps its name when a message has the same name', async () => {
    const model = await loadSdkFixture('basic');
    const [sample] = model.types.messages;
    assert.ok(sample);
    const message = { ...sample, name: 'Client', fullName: 'acme.v1.Client' };
    const place = packageNames({ ...model, client: { ...model.client, slug: 'client' } });
    const { types } = planNames({ ...model, types: { ...model.types, messages: [message] } }, place);
    assert.equal(place.clientClass, 'Client');
    assert.notEqual(types.get('acme.v1.Client'), 'Client');
  });
});

describe('Java texts', () => {
  it('quote strings without Unicode escapes for control characters', () => {
    assert.equal(stringLiteral('a"\\\n'), String.raw`"a\"\\\n"`);
    assert.equal(stringLiteral('\u0000\u0085\u202e'), String.raw`"\000\205\u202e"`);
    assert.equal(stringLiteral('größe'), '"größe"');
  });

  it('break calls, chains and long names like the formatter', () => {
    const place = { indent: 4, column: 4, after: 1 };
    const long = 'x'.repeat(89);
    assert.equal(
      print(measured({ callee: 'f', args: [{ string: long }, '1'] }), place),
      `f(\n        "${long}",\n        1)`,
    );
    const chain = { head: 'A.builder()', links: [{ callee: 'text', args: [{ string: long }] }] };
    assert.match(print(measured(chain), place), /^A\.builder\(\)\n {8}\.text\(/);
    const wide = 'X'.repeat(60);
    const shifted = { indent: 40, column: 40, after: 1 };
    const begun = print(measured({ ...chain, head: `${wide}.builder()` }), shifted);
    assert.ok(begun.startsWith(`${wide}\n${' '.repeat(44)}.builder()\n${' '.repeat(44)}.text(`), begun);
    assert.equal(print(measured({ type: wide, constant: 'Y' }), shifted), `${wide}\n${' '.repeat(44)}.Y`);
  });

  it('keep a setter named "stream" on the line of the preceding setter while it fits', () => {
    const place = { indent: 4, column: 11, after: 1 };
    const links = [
      { callee: 'model', args: [{ string: 'x'.repeat(50) }] },
      { callee: 'stream', args: ['true'] },
      { callee: 'build', args: [] },
    ];
    const [model, ...rest] = links;
    assert.ok(model);
    const opening = `A.builder().model("${'x'.repeat(50)}")`;
    assert.equal(
      print(measured({ head: 'A.builder()', links }), { ...place, after: 20 }),
      `${opening}.stream(true)\n        .build()`,
    );
    const longer = [model, { ...model, callee: 'prompt' }, ...rest];
    assert.match(
      print(measured({ head: 'A.builder()', links: longer }), place),
      /^A\.builder\(\)\n {8}\.model\(.*\)\n {8}\.prompt\(.*\)\n {8}\.stream\(true\)\n {8}\.build\(\)$/,
    );
  });

  it('break a literal when the text after it does not fit', () => {
    const place = { indent: 4, column: 4, after: 1 };
    const text = 'x'.repeat(100 - place.column - '""'.length);
    assert.equal(print(measured({ string: text }), place), `"${text.slice(1)}"\n        + "x"`);
  });

  it('trim trailing Unicode spaces in comments', () => {
    assert.equal(docComment({ paragraphs: ['One.', '\u3000'] }), '/** One. */');
    assert.equal(docComment({ paragraphs: ['One.', 'two\u3000'] }), '/**\n * One.\n *\n * <p>two\n */');
  });

  it('escape markup and terminators in comments', () => {
    const text = docComment({ paragraphs: ['*/ <b> {@code x} @deprecated \\u002a/'] });
    assert.equal(text, '/** &#42;&#47; &lt;b&gt; &#123;&#64;code x&#125; &#64;deprecated &#92;u002a/ */');
  });
});
