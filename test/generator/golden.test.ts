import assert from 'node:assert/strict';
import type { Language } from '../../generator/language.ts';
import type { TemplateSet } from '../../generator/render/template-set.ts';
import { listLanguages, loadLanguage } from '../../service/languages/load-language.ts';
import { listSdkFixtures } from '../support/sdk-fixtures.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { goldenAdvice, goldenDifferences, goldenFiles } from '../support/sdk-goldens.ts';

for (const id of await listLanguages()) {
  // esbuild, which compiles the TypeScript archives, is a program.
  const suite = id.startsWith('typescript') ? suiteNeeds.bind(undefined, 'processes') : describe;
  suite(`generated output in ${id}`, () => {
    let loaded: { language: Language; templates: TemplateSet };

    before(async () => {
      loaded = await loadLanguage(id);
    });

    for (const name of listSdkFixtures()) {
      it(`matches the golden files of ${name}`, async () => {
        const changed = goldenDifferences(name, id, await goldenFiles(name, loaded));
        assert.equal(changed.length, 0, [goldenAdvice(name, id), ...changed].join('\n'));
      });
    }
  });
}
