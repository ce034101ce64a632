import assert from 'node:assert/strict';
import type { Language } from '../../generator/language.ts';
import type { TemplateSet } from '../../generator/render/template-set.ts';
import { listLanguages, loadLanguage } from '../../service/builds/load-language.ts';
import { listSdkFixtures } from '../support/sdk-fixtures.ts';
import { goldenFiles, readGolden } from '../support/sdk-goldens.ts';
import { lineDiff } from '../support/line-diff.ts';

for (const id of await listLanguages()) {
  describe(`expected output in ${id}`, () => {
    let loaded: { language: Language; templates: TemplateSet };

    before(async () => {
      loaded = await loadLanguage(id);
    });

    for (const name of listSdkFixtures()) {
      it(`is what is printed for ${name}`, async () => {
        const printed = await goldenFiles(name, loaded);
        const expected = readGolden(name, id);
        const changed = [...new Set([...expected.keys(), ...printed.keys()])]
          .sort()
          .filter((file) => expected.get(file) !== printed.get(file))
          .map((file) => `${file}\n${lineDiff(expected.get(file) ?? '', printed.get(file) ?? '')}`);
        assert.equal(
          changed.length,
          0,
          `fixtures/sdk/${name}/expected/${id} differs; if it should, run \`npm run golden\`\n${changed.join('\n')}`,
        );
      });
    }
  });
}
