import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { generateSdk } from '../../generator/generate-sdk.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { listLanguages, loadLanguage } from '../../service/languages/load-language.ts';
import { sdkModelOfVersion } from '../../service/builds/sdk-model-of-version.ts';
import { largeSources } from '../bench/large-source.ts';
import { loadSdkFixture } from '../support/sdk-fixtures.ts';
import { toyLanguage, toyTemplates } from '../support/toy-language.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const printChecksums = path.resolve(import.meta.dirname, '../support/print-checksums.ts');

suiteNeeds('processes', 'an archive', () => {
  it('is a zip of the SDK files, named after the client, with its SHA-256', async () => {
    const model = await loadSdkFixture('basic');
    const archive = await generateSdk(model, toyLanguage(), toyTemplates());
    const files = await sdkFiles(model, toyLanguage(), toyTemplates());
    const decoder = new TextDecoder();
    assert.deepEqual(
      Object.entries(unzipSync(archive.bytes)).map(([name, bytes]) => [name, decoder.decode(bytes)]),
      files.map(({ path, content }) => [
        path,
        typeof content === 'string' ? content : decoder.decode(content),
      ]),
    );
    assert.equal(archive.fileName, 'acme-text-sdk-toy.zip');
    assert.equal(archive.sha256, createHash('sha256').update(archive.bytes).digest('hex'));
  });

  suiteNeeds('processes', 'in another process', () => {
    it('has the same bytes, even in another time zone and locale', async function () {
      this.timeout(180_000);
      const expected: Record<string, string> = {};
      for (const id of await listLanguages()) {
        const { language, templates } = await loadLanguage(id);
        for (const name of ['basic', 'hostile-names', 'unicode']) {
          const archive = await generateSdk(await loadSdkFixture(name), language, templates);
          expected[`${id} ${name}`] = archive.sha256;
        }
      }
      assert.ok(Object.keys(expected).length >= 3);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [printChecksums, ...Object.keys(expected)],
        {
          env: { ...process.env, TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
        },
      );
      assert.deepEqual(JSON.parse(stdout), expected);
    });
  });

  it('does not depend on previously built archives', async function () {
    this.timeout(180_000);
    const next = await largeSources(5);
    const sources = [next(), next(), next()];
    for (const id of await listLanguages()) {
      const used = await loadLanguage(id);
      for (const source of sources) {
        const fresh = await loadLanguage(id);
        const archives = [used, fresh].map(({ language, templates }) =>
          generateSdk(sdkModelOfVersion(structuredClone(source)), language, templates),
        );
        const [one, other] = await Promise.all(archives);
        assert.equal(one?.sha256, other?.sha256, `${id}, ${source.snapshot.client.slug}`);
      }
    }
  });
});
