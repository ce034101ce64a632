import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { createTextBytes } from '../../generator/archive/text-bytes.ts';
import { generateSdk } from '../../generator/generate-sdk.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { listLanguages, loadLanguage } from '../../service/builds/load-language.ts';
import { sdkModelOfVersion } from '../../service/builds/sdk-model-of-version.ts';
import { createVersionModels } from '../../service/builds/version-models.ts';
import { largeSources } from '../bench/large-source.ts';
import { loadSdkFixture } from '../support/sdk-fixtures.ts';
import { toyLanguage, toyTemplates } from '../support/toy-language.ts';

const printChecksums = path.resolve(import.meta.dirname, '../support/print-checksums.ts');

describe('an archive', () => {
  it('is a zip of the files, named for its client, and known by its sha256', async () => {
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

  it('is the same again, in another process, time zone and locale', async () => {
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

  it('is the same whatever was built and remembered before', async function () {
    this.timeout(180_000);
    const sources = [
      ...many(await largeSources(12, 'next version'), 3),
      ...many(await largeSources(12, 'new client'), 3),
      ...many(await largeSources(5, 'next version'), 2),
    ];
    for (const id of await listLanguages()) {
      const models = createVersionModels();
      const texts = createTextBytes(1_000_000);
      const warm = await loadLanguage(id);
      for (const source of sources) {
        const { sha256 } = await generateSdk(models.modelOf(source), warm.language, warm.templates, texts);
        // Its own templates and descriptor sets: nothing is known of them.
        const fresh = await loadLanguage(id);
        const model = sdkModelOfVersion(structuredClone(source));
        const alone = await generateSdk(model, fresh.language, fresh.templates);
        assert.equal(sha256, alone.sha256, `${id}, ${source.snapshot.client.slug} ${source.semver}`);
      }
    }
  });
});

function many<T>(next: () => T, count: number): T[] {
  return Array.from({ length: count }, next);
}
