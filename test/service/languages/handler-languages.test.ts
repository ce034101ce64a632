import assert from 'node:assert/strict';
import {
  handlerLanguages,
  languageOfPackage,
  packageTemplate,
} from '../../../service/languages/handler-languages.ts';
import { listLanguages, loadLanguageFile } from '../../../service/languages/load-language.ts';

describe('the languages of handlers', () => {
  it('are the languages for which types are generated', async () => {
    const languages = await Promise.all((await listLanguages()).map((id) => loadLanguageFile(id)));
    const written = languages.filter(({ handlerTypes, handlerPlugin }) => handlerTypes ?? handlerPlugin);
    assert.deepEqual(
      written.map(({ id }) => id),
      handlerLanguages.toSorted(),
    );
  });

  it('are detected in a new package', () => {
    for (const id of handlerLanguages) assert.equal(languageOfPackage(packageTemplate(id)), id);
  });
});
