import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  camelCase,
  kebabCase,
  pascalCase,
  screamingCase,
  snakeCase,
  splitWords,
} from '../../../generator/names/words.ts';
import { itSlow } from '../../support/fast-run.ts';

describe('splitWords', () => {
  const cases: [text: string, words: string[]][] = [
    ['unit_price', ['unit', 'price']],
    ['unitPrice', ['unit', 'Price']],
    ['HTTPServer', ['HTTP', 'Server']],
    ['fooBar2x', ['foo', 'Bar2x']],
    ['V1Beta1Thing', ['V1', 'Beta1', 'Thing']],
    ['Outer.Inner', ['Outer', 'Inner']],
    ['split-lines now', ['split', 'lines', 'now']],
    ['__proto__', ['proto']],
    ['Größe', ['Grosse']],
    ['Ça va', ['Ca', 'va']],
    ['ЦЕНА товара', ['TSENA', 'tovara']],
    ['λόγος', ['logos']],
    ['日本', ['u65e5', 'u672c']],
    ['\u202eabc\u202c', ['abc']],
    ['🚀 launch', ['launch']],
    ['🚀', ['u1f680']],
    ['!?', ['u21', 'u3f']],
    ['', ['unnamed']],
    [' \n ', ['unnamed']],
  ];
  for (const [text, words] of cases) {
    it(`splits ${JSON.stringify(text)} into ${words.join(' ')}`, () => {
      assert.deepEqual(splitWords(text), words);
    });
  }

  it('treats composed and decomposed letters alike', () => {
    assert.deepEqual(splitWords('e\u0301te\u0301'), splitWords('\u00e9t\u00e9'));
  });

  it('limits the words of a text without letters', () => {
    assert.equal(splitWords('!'.repeat(1000)).length, 8);
  });
});

describe('casings', () => {
  it('convert names to their style', () => {
    assert.equal(camelCase('HTTPServer_name'), 'httpServerName');
    assert.equal(pascalCase('HTTPServer_name'), 'HttpServerName');
    assert.equal(snakeCase('HTTPServer name'), 'http_server_name');
    assert.equal(screamingCase('httpServer name'), 'HTTP_SERVER_NAME');
    assert.equal(kebabCase('HTTPServer name'), 'http-server-name');
  });

  it('start with a letter, except in kebab case', () => {
    assert.equal(camelCase('3d model'), 'n3dModel');
    assert.equal(pascalCase('3d model'), 'N3dModel');
    assert.equal(snakeCase('3d model'), 'n3d_model');
    assert.equal(screamingCase('3d model'), 'N3D_MODEL');
    assert.equal(kebabCase('3d model'), '3d-model');
  });

  it('accept a list of words', () => {
    assert.equal(camelCase(['Unit', 'price']), 'unitPrice');
  });

  itSlow('turn any text into an ASCII identifier', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(anyText, (text) => {
        assert.match(camelCase(text), /^[a-z][A-Za-z0-9]*$/);
        assert.match(pascalCase(text), /^[A-Z][A-Za-z0-9]*$/);
        assert.match(snakeCase(text), /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
        assert.match(screamingCase(text), /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
        assert.match(kebabCase(text), /^[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
    );
  });
});
