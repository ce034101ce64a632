import assert from 'node:assert/strict';
import { listLanguages } from '../../../service/languages/load-language.ts';
import {
  archiveFileName,
  defaultLanguageOf,
  requireLanguage,
} from '../../../service/languages/sdk-languages.ts';

/** The languages of the API, with the file names of their archives. */
const archives = {
  csharp: 'shop-sdk-cs.zip',
  go: 'shop-sdk-go.zip',
  java: 'shop-sdk-java.zip',
  python: 'shop-sdk-py.zip',
  rust: 'shop-sdk-rs.zip',
  typescript: 'shop-sdk-ts.zip',
  'typescript-browser': 'shop-sdk-browser.zip',
};

describe('the languages of clients', function () {
  this.timeout(180_000);

  it('are the seven languages of the API with their archive names', async () => {
    assert.deepEqual(await listLanguages(), Object.keys(archives));
    for (const [language, name] of Object.entries(archives)) {
      assert.equal(await requireLanguage(language), language);
      assert.equal(await archiveFileName('shop', language), name);
    }
  });

  it('are rejected with their name if unknown', async () => {
    for (const value of ['', 'Go', 'cobol', '__proto__', 'constructor', '../language', 'go.ts']) {
      await assert.rejects(requireLanguage(value), {
        status: 400,
        body: { error: `unsupported language: ${value}` },
      });
    }
  });

  it('default to TypeScript', async () => {
    assert.equal(await defaultLanguageOf(undefined), 'typescript');
    assert.equal(await defaultLanguageOf(''), 'typescript');
    assert.equal(await defaultLanguageOf('go'), 'go');
    await assert.rejects(defaultLanguageOf('cobol'), { status: 400 });
  });
});
