import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sdkModelOfVersion } from '../../../../service/builds/sdk-model-of-version.ts';
import { loadVersionSource } from '../../../../service/clients/version-source.ts';
import { findBuild } from '../../../../service/store/client-builds.ts';
import type { Client } from '../../../../service/store/clients.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import type { Tenant } from '../../../../service/store/tenants.ts';
import { quickRunner, requestBuilds, storedBundle } from '../../../support/build-fixture.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';

describe('svc sdk render', function () {
  this.timeout(180_000);
  const language = 'typescript';
  let dataDir: string;
  let out: string;
  let tenant: Tenant;
  let client: Client;
  /** Hash of the archive that the service built. */
  let sha256: string | null | undefined;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
    const db = await openDatabase({ dataDir });
    ({ tenant, client } = await storedBundle(db));
    await requestBuilds(db, tenant, client.id, [language]);
    const runner = quickRunner(db, dataDir);
    await runner.start();
    while ((await findBuild(db.knex, tenant.id, client.id, 1, language))?.status === 'pending') {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await runner.close();
    sha256 = (await findBuild(db.knex, tenant.id, client.id, 1, language))?.sha256;
    const key = { tenantId: tenant.id, clientId: client.id, version: 1 };
    const source = await loadVersionSource(db.knex, key, 'go.svc.internal');
    await writeFile(path.join(dataDir, 'model.json'), JSON.stringify(sdkModelOfVersion(source!)));
    await db.close();
  });
  beforeEach(async () => {
    out = await mkdtemp(path.join(tmpdir(), 'svc-sdk-'));
  });
  afterEach(() => rm(out, { recursive: true }));
  after(() => rm(dataDir, { recursive: true }));

  const render = (...args: string[]): Promise<Run> =>
    runInProcess(['sdk', 'render', '--out', out, ...args], { SVC_DATA_DIR: dataDir });
  const ofClient = (...args: string[]): Promise<Run> =>
    render('--client', client.id, '--tenant', tenant.handle, '--language', language, ...args);

  itSlow('writes the same archive as the service, from a client or from its model', async () => {
    for (const run of [
      await ofClient('--zip', '--json'),
      await render('--model', path.join(dataDir, 'model.json'), '--language', language, '--zip', '--json'),
    ]) {
      assert.equal(run.code, 0, run.stderr);
      const result = JSON.parse(run.stdout) as { out: string; sha256: string; size: number };
      assert.equal(result.out, path.join(out, 'text-tools-sdk-ts.zip'));
      assert.equal(result.sha256, sha256);
      assert.equal((await readFile(result.out)).length, result.size);
    }
  });

  itSlow('unpacks the archive and prints the folder', async () => {
    const run = await ofClient('--version', '1');
    assert.deepEqual([run.code, run.stdout], [0, `${out}\n`]);
    assert.ok((await readdir(out)).includes('MANIFEST.json'));
  });

  itSlow('finds a client by its name and by its slug', async () => {
    for (const given of [client.name, client.slug]) {
      const run = await render(
        '--client',
        given,
        '--tenant',
        tenant.handle,
        '--language',
        language,
        '--force',
      );
      assert.deepEqual([run.code, run.stdout], [0, `${out}\n`], run.stderr);
    }
  });

  itSlow('writes to a folder that is not empty only with --force', async () => {
    await writeFile(path.join(out, 'mine'), '');
    const refused = await ofClient();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is not empty: choose another folder, or write to it with --force/);
    assert.deepEqual(await readdir(out), ['mine']);
    assert.equal((await ofClient('--force')).code, 0);
  });

  itSlow('refuses a path that is a file', async () => {
    const file = path.join(out, 'mine');
    await writeFile(file, '');
    const { code, stderr } = await ofClient('--out', file);
    assert.deepEqual([code, stderr], [1, `svc: ${file} is not a folder: choose another path\n`]);
  });

  itSlow('reports wrong usage', async () => {
    const one = ['--client', client.id, '--tenant', tenant.handle];
    for (const [args, text] of [
      [[...one, '--language', 'cobol'], /unsupported language "cobol": use one of .*typescript/],
      [['--language', language], /set either --client <client> with --tenant <handle>, or --model <file>/],
      [[...one, '--model', 'x', '--language', language], /set either --client/],
      [['--client', client.id, '--language', language], /--client requires --tenant <handle>/],
      [[...one, '--version', '0', '--language', language], /--version must be a number from 1, not "0"/],
    ] as const) {
      const { code, stdout, stderr } = await render(...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, text);
    }
  });

  itSlow('reports missing clients and invalid models', async () => {
    const broken = path.join(dataDir, 'broken.json');
    const none = path.join(dataDir, 'none.json');
    await writeFile(broken, '{');
    await writeFile(path.join(dataDir, 'other.json'), '{"client": {}}');
    const base = ['--language', language];
    for (const [args, text] of [
      [['--client', 'none', '--tenant', tenant.handle], /has no client "none": its clients are text-tools/],
      [
        ['--client', client.id, '--tenant', tenant.handle, '--version', '2'],
        /no version 2: its latest version is 1/,
      ],
      [['--model', none], /cannot read the model: .*ENOENT/],
      [['--model', broken], /broken\.json is not valid JSON/],
      [['--model', path.join(dataDir, 'other.json')], /is not an SdkModel/],
    ] as const) {
      const { code, stderr } = await render(...base, ...args);
      assert.equal(code, 1);
      assert.match(stderr, text);
    }
  });
});
