import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadSdkFixture } from '../support/sdk-fixtures.ts';
import { toyLanguage, toyTemplates } from '../support/toy-language.ts';

describe('the files of an archive', () => {
  let model: SdkModel;

  before(async () => {
    model = await loadSdkFixture('basic');
  });

  it('include rendered, runtime and shared files, sorted by path', async () => {
    const files = await sdkFiles(model, toyLanguage(), toyTemplates());
    assert.deepEqual(
      files.map(({ path }) => path),
      ['CHANGELOG.md', 'LICENSE', 'MANIFEST.json', 'README.md', 'REFERENCE.md', 'lib/core.toy', 'llms.txt'],
    );
    assert.equal(files[3]?.content, 'Toy of Acme Text\n');
  });

  it('are listed with checksums in MANIFEST.json, beside members and commands', async () => {
    const files = await sdkFiles(model, toyLanguage(), toyTemplates());
    const manifest: unknown = JSON.parse(String(files.find(({ path }) => path === 'MANIFEST.json')?.content));
    const [countWords, splitLines, tokenize] = model.members.map(({ alias, type, pin }) => ({
      alias,
      type,
      pin,
    }));
    assert.deepEqual(manifest, {
      client: 'acme-text',
      version: 2,
      semver: '1.1.0',
      language: 'toy',
      generator: 'svc/0.0.0',
      package: { name: 'acme-acme-text', import: 'acme-text' },
      setup: 'true',
      test: 'true',
      members: [
        { ...countWords, example: 'cat README.md' },
        splitLines,
        { ...tokenize, example: 'cat README.md' },
      ],
      files: Object.fromEntries(
        files
          .filter(({ path }) => path !== 'MANIFEST.json')
          .map(({ path, content }) => [path, createHash('sha256').update(content).digest('hex')]),
      ),
    });
  });

  it('replace a shared document with that of the language', async () => {
    const language = toyLanguage(
      {},
      {
        files: () => [{ path: 'REFERENCE.md', template: 'README.md', view: { name: 'itself' } }],
      },
    );
    const files = await sdkFiles(model, language, toyTemplates());
    const references = files.filter(({ path }) => path === 'REFERENCE.md');
    assert.deepEqual(references, [{ path: 'REFERENCE.md', content: 'Toy of itself\n' }]);
  });

  it('are rejected when a path leads outside the archive', async () => {
    const language = toyLanguage({}, { runtimePath: (path) => `../${path}` });
    await assert.rejects(
      sdkFiles(model, language, toyTemplates()),
      /does not lead to a file inside the archive/,
    );
  });

  it('are rejected when two paths differ only in case', async () => {
    const language = toyLanguage({}, { runtimePath: () => 'readme.MD' });
    await assert.rejects(
      sdkFiles(model, language, toyTemplates()),
      /README\.md and readme\.MD differ by case only/,
    );
  });
});
