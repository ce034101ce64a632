import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateSdk } from '../../../generator/generate-sdk.ts';
import { sdkFiles } from '../../../generator/sdk-files.ts';
import { listLanguages, loadLanguage } from '../../../service/languages/load-language.ts';
import { loadSdkFixture } from '../../support/sdk-fixtures.ts';

const toySource = path.resolve(import.meta.dirname, '../../support/toy-language.ts');

describe('languages', () => {
  it('of this release load with templates and runtime', async () => {
    for (const id of await listLanguages()) {
      const { language, templates } = await loadLanguage(id);
      assert.equal(language.id, id);
      assert.ok(templates.sdk.has('README.md') && templates.documents.has('LICENSE'), id);
      assert.ok(templates.runtime.size > 0, id);
      for (const file of templates.runtime.keys()) assert.doesNotMatch(file, /__pycache__|_cache\//);
    }
  });

  it('fail to load if they do not exist', async () => {
    await assert.rejects(loadLanguage('cobol'), /no generator for language "cobol" in this release/);
    await assert.rejects(loadLanguage('../language'), /no generator for language/);
  });
});

describe('an added language', () => {
  let folder: string;
  const folders = (): { generatorDir: string; templatesDir: string } => ({
    generatorDir: path.join(folder, 'generator'),
    templatesDir: path.join(folder, 'templates'),
  });
  const write = async (file: string, content: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-language-'));
    const source = `import { toyLanguage } from '${toySource}';\nexport const language = toyLanguage();\n`;
    await write('generator/languages/toy/language.ts', source);
    await write('generator/languages/wrong/language.ts', source);
    await write('templates/toy/sdk/README.md.hbs', 'Toy of {{> name}}\n');
    await write('templates/toy/parts/name.hbs', '{{name}}');
    await write('templates/toy/runtime/deep/core.toy', 'core {{not a template}}\n');
    await write('templates/toy/runtime/__pycache__/core.pyc', '');
    const variant = `{ id: 'variant', variantOf: 'toy' }, { runtimePath: (path) => (path === 'b.toy' ? undefined : path) }`;
    await write(
      'generator/languages/variant/language.ts',
      `import { toyLanguage } from '${toySource}';\nexport const language = toyLanguage(${variant});\n`,
    );
    await write('templates/toy/runtime/b.toy', '');
    await write('templates/variant/parts/name.hbs', 'a variant of {{name}}');
    await write('templates/variant/runtime/a.toy', 'own');
    for (const name of ['CHANGELOG.md', 'LICENSE', 'REFERENCE.md', 'llms.txt']) {
      await write(`templates/documents/${name}.hbs`, `${name}\n`);
    }
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('consists of two folders', async () => {
    assert.deepEqual(await listLanguages(folders()), ['toy', 'variant', 'wrong']);
    const { language, templates } = await loadLanguage('toy', folders());
    assert.deepEqual([...templates.sdk.keys()], ['README.md']);
    assert.deepEqual([...templates.runtime.keys()], ['b.toy', 'deep/core.toy']);
    const archive = await generateSdk(await loadSdkFixture('basic'), language, templates);
    assert.equal(archive.fileName, 'acme-text-sdk-toy.zip');
  });

  it('may be a variant that inherits files and replaces some', async () => {
    const { language, templates } = await loadLanguage('variant', folders());
    assert.deepEqual([...templates.runtime.keys()], ['a.toy', 'b.toy', 'deep/core.toy']);
    const files = await sdkFiles(await loadSdkFixture('basic'), language, templates);
    const contents = new Map(files.map(({ path: file, content }) => [file, Buffer.from(content).toString()]));
    assert.match(contents.get('README.md') ?? '', /^Toy of a variant of /);
    assert.equal(contents.get('deep/core.toy'), 'core {{not a template}}\n');
    assert.equal(contents.get('a.toy'), 'own');
    assert.ok(!contents.has('b.toy'), 'the variant does not have this file');
  });

  it('fails to load if its file exports another language', async () => {
    await assert.rejects(loadLanguage('wrong', folders()), /must export the language "wrong" as "language"/);
  });
});
