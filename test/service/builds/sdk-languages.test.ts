import assert from 'node:assert/strict';
import {
  archiveFileName,
  defaultLanguageOf,
  requireLanguage,
} from '../../../service/builds/sdk-languages.ts';

describe('the languages of clients', () => {
  it('are the seven of the API, each with its archive name', () => {
    const names = ['go', 'python', 'rust', 'java', 'typescript', 'typescript-browser', 'csharp'].map(
      (language) => archiveFileName('shop', requireLanguage(language)),
    );
    assert.deepEqual(names, [
      'shop-sdk-go.zip',
      'shop-sdk-py.zip',
      'shop-sdk-rs.zip',
      'shop-sdk-java.zip',
      'shop-sdk-ts.zip',
      'shop-sdk-browser.zip',
      'shop-sdk-cs.zip',
    ]);
  });

  it('are refused by name otherwise', () => {
    for (const value of ['', 'Go', 'cobol', '__proto__', 'constructor']) {
      assert.throws(() => requireLanguage(value), {
        status: 400,
        body: { error: `unsupported language: ${value}` },
      });
    }
  });

  it('default to TypeScript', () => {
    assert.equal(defaultLanguageOf(undefined), 'typescript');
    assert.equal(defaultLanguageOf(''), 'typescript');
    assert.equal(defaultLanguageOf('go'), 'go');
    assert.throws(() => defaultLanguageOf('cobol'), { status: 400 });
  });
});
