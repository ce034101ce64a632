import assert from 'node:assert/strict';
import { itSlow } from '../support/fast-run.ts';
import { lineDiff } from '../support/line-diff.ts';
import { readSpecGolden, servedDocuments } from '../support/spec-goldens.ts';

describe('the documents of fixture packages and flows', () => {
  itSlow('match the golden files', async function () {
    this.timeout(180_000);
    const served = await servedDocuments();
    assert.ok(served.size > 0);
    for (const [name, document] of served) {
      const expected = await readSpecGolden(name);
      const hint = `fixtures/specs/${name}/expected.json differs; if it should, run \`npm run golden\``;
      assert.ok(document === expected, `${hint}\n${lineDiff(expected, document)}`);
    }
  });
});
