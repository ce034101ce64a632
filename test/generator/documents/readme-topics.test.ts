import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listLanguages } from '../../../service/languages/load-language.ts';
import { sdkFixturesDir } from '../../support/sdk-fixtures.ts';

/** What a user looks for, by the title of its section. */
const topics = [
  /^## Install$/,
  /^## First call$/,
  /^## Running flows$/,
  /^### Decisions of humans$/,
  /^### Forks$/,
  /^## Streams$/,
  /^## Messages$/,
  /^## Options/,
  /^## (Errors|Exceptions|Options, raw responses and errors)$/,
  /^## Tests of your program$/,
  /^## Development$/,
];

const languages = await listLanguages();

describe('the READMEs of all languages', () => {
  for (const id of languages) {
    it(`have a section for each topic in ${id}`, () => {
      const lines = readmeOf('conformance', id).split('\n');
      const missing = topics.filter((topic) => !lines.some((line) => topic.test(line)));
      assert.deepEqual(missing, []);
    });
  }

  it('begin with the member that was added first in TypeScript, too', () => {
    // `class` comes first by name.
    const [, first = ''] = readmeOf('conformance', 'typescript').split('## First call');
    assert.match(first.split('## Calls')[0] ?? '', /client\.echo\(/);
  });
});

function readmeOf(fixture: string, language: string): string {
  return readFileSync(path.join(sdkFixturesDir, fixture, 'expected', language, 'README.md'), 'utf8');
}
