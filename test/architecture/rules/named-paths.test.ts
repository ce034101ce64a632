import assert from 'node:assert/strict';

import { namedPaths } from './named-paths.ts';

const files = [
  'README.md',
  'docs/flows.md',
  'docs/decisions/0007-expressions.md',
  'service/store/tenants.ts',
  'service/store/key-use.ts',
  'templates/go/runtime/test/retry.go',
];

function judge(text: string, file = 'docs/flows.md'): string[] {
  return namedPaths([{ file, line: 1, text }], files);
}

describe('the named path rule', () => {
  for (const text of [
    'See `service/store/tenants.ts`.',
    'Everything in service/store, and docs/decisions/0007.',
    'It is in `store/key-use.ts` (or key-use.ts).',
    'A [decision](decisions/0007-expressions.md#why) and [more](../README.md).',
    'A [page](https://example.com/docs/gone.md), and https://example.com/service/gone.ts.',
    '`generator/languages/<id>/language.ts`, `templates/{id}/sdk`, `test/**/*.test.ts`',
    '```ts generator/languages/toy/language.ts',
    'A route /docs/api and a package @acme/service/x.',
  ]) {
    it(`accepts ${text}`, () => {
      assert.deepEqual(judge(text), []);
    });
  }

  for (const [text, name] of [
    ['See `service/store/gone.ts`.', 'service/store/gone.ts'],
    ['Everything in service/gone.', 'service/gone'],
    ['It is in `store/key-gone.ts`.', 'store/key-gone.ts'],
    ['A [decision](decisions/0008-gone.md).', 'decisions/0008-gone.md'],
    ['docs/decisions/0008 says why.', 'docs/decisions/0008'],
  ] as const) {
    it(`finds ${name}`, () => {
      assert.deepEqual(judge(`first line\n${text}`), [`docs/flows.md:2: ${name}`]);
    });
  }

  it('accepts paths relative to a parent folder of the file', () => {
    assert.deepEqual(judge('see test/retry.go', 'templates/go/runtime/retry.go'), []);
    assert.deepEqual(judge('see test/retry.go', 'templates/rust/retry.rs'), [
      'templates/rust/retry.rs:1: test/retry.go',
    ]);
  });

  it('allows removed paths in the changelog and in superseded decisions', () => {
    assert.deepEqual(judge('service/gone', 'CHANGELOG.md'), []);
    const decision = '# 0007 A title\n\nSuperseded by 0036.\n\nservice/gone';
    assert.deepEqual(judge(decision, 'docs/decisions/0007-expressions.md'), []);
    assert.equal(judge(decision, 'docs/flows.md').length, 1);
  });
});
