import assert from 'node:assert/strict';

import { languages } from './languages.ts';

describe('the language rule', () => {
  const whole = [
    'generator/languages/go/language.ts',
    'templates/go/sdk/README.md.hbs',
    'templates/documents/README.md.hbs',
  ];

  it('accepts a file and a folder of the same name, and the shared documents', () => {
    assert.deepEqual(languages(whole), []);
  });

  it('finds a language without templates', () => {
    assert.deepEqual(languages([...whole, 'generator/languages/rust/language.ts']), [
      'generator/languages/rust has no folder templates/rust',
    ]);
  });

  it('finds templates without a language', () => {
    assert.deepEqual(languages([...whole, 'templates/rust/runtime/retry.rs']), [
      'templates/rust has no generator/languages/rust/language.ts',
    ]);
  });
});
