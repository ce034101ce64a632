import assert from 'node:assert/strict';
import { check, getFileInfo } from 'prettier';
import { printedFiles, renderedFixtures, runtimeFiles } from './rendered-fixtures.ts';
import type { RenderedFixture } from './rendered-fixtures.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

suiteNeeds('typescript', 'formatting of the TypeScript SDK', () => {
  let fixtures: RenderedFixture[];

  before(async function () {
    this.timeout(180_000);
    fixtures = await renderedFixtures();
  });

  it('matches the prettier defaults in the runtime', async function () {
    this.timeout(180_000);
    await isFormatted('runtime', runtimeFiles(fixtures[0]!));
  });

  it('matches the prettier defaults in every fixture', async function () {
    this.timeout(180_000);
    assert.ok(fixtures.length >= 10);
    for (const fixture of fixtures) await isFormatted(fixture.name, printedFiles(fixture));
  });
});

/** Fails with the names of the files that prettier would change. */
async function isFormatted(name: string, files: readonly [string, string][]): Promise<void> {
  const changed: string[] = [];
  let checked = 0;
  for (const [file, text] of files) {
    const { inferredParser } = await getFileInfo(file);
    if (inferredParser === null) continue;
    checked += 1;
    if (!(await check(text, { filepath: file, parser: inferredParser }))) changed.push(file);
  }
  assert.ok(checked >= 4);
  assert.deepEqual(changed, [], name);
}
