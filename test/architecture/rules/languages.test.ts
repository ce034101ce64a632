import assert from 'node:assert/strict';

import { languages } from './languages.ts';

describe('the rule of languages', () => {
  const whole = [
    'generator/languages/go.ts',
    'templates/go/sdk/README.md.hbs',
    'templates/documents/README.md.hbs',
  ];

  it('takes a file and a folder of one name, and the documents of all', () => {
    assert.deepEqual(languages(whole), []);
  });

  it('finds a language without templates', () => {
    assert.deepEqual(languages([...whole, 'generator/languages/rust.ts']), [
      'generator/languages/rust.ts has no folder templates/rust',
    ]);
  });

  it('finds templates without a language', () => {
    assert.deepEqual(languages([...whole, 'templates/rust/runtime/retry.rs']), [
      'templates/rust has no file generator/languages/rust.ts',
    ]);
  });
});
