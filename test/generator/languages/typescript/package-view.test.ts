import assert from 'node:assert/strict';
import { renderedFixtures } from './rendered-fixtures.ts';

describe('the package of the TypeScript SDK', () => {
  for (const id of ['typescript', 'typescript-browser'])
    it(`runs every test that the archive of ${id} contains`, async () => {
      const [{ files } = assert.fail('no fixtures')] = await renderedFixtures(id);
      const { scripts } = JSON.parse(files.get('package.json') ?? '') as { scripts: { test: string } };
      const contained = [...files.keys()].filter((file) => file.endsWith('.test.ts'));
      const compiled = contained.map((file) => `build/${file.replace(/ts$/, 'js')}`);
      const run = scripts.test.split(' ').filter((argument) => argument.startsWith('build/'));
      assert.deepEqual(run.toSorted(), compiled.toSorted());
    });
});
