import assert from 'node:assert/strict';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

describe('the package of the TypeScript SDK', () => {
  for (const id of ['typescript', 'typescript-browser'])
    it(`runs every test that the archive of ${id} contains`, async () => {
      const { language, templates } = await loadLanguage(id);
      const files = await sdkFiles(await loadSdkFixture('conformance'), language, templates);
      const manifest = files.find(({ path }) => path === 'package.json')?.content;
      assert.ok(typeof manifest === 'string');
      const { scripts } = JSON.parse(manifest) as { scripts: { test: string } };
      const contained = files.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
      const compiled = contained.map((file) => `build/${file.replace(/ts$/, 'js')}`);
      const run = scripts.test.split(' ').filter((argument) => argument.startsWith('build/'));
      assert.ok(run.length > 0);
      assert.deepEqual(run.toSorted(), compiled.toSorted());
    });
});
