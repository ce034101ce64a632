import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { type ScriptedServer, startScriptedServer } from '../../../conformance/scripted-server.ts';
import { type BrowserSession, startBrowser } from '../../../support/browser.ts';
import { type PageServer, servePages } from '../../../support/page-server.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type RenderedFixture, renderedFixtures } from '../typescript/rendered-fixtures.ts';

interface Manifest {
  setup: string;
  test: string;
  members: { alias: string; example?: string }[];
}

suiteNeeds('chromium', 'the archive for browsers', function () {
  this.timeout(300_000);
  let fixture: RenderedFixture;
  let manifest: Manifest;
  let folder: string;
  let server: ScriptedServer;
  let pages: PageServer;
  let browser: BrowserSession;

  before(async () => {
    fixture = (await renderedFixtures('typescript-browser')).find(({ name }) => name === 'conformance')!;
    manifest = JSON.parse(fixture.files.get('MANIFEST.json')!) as Manifest;
    folder = await mkdtemp(path.join(tmpdir(), 'svc-typescript-browser-'));
    for (const [file, text] of [...fixture.files, ...(fixture.compiled ?? [])]) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    server = await startScriptedServer();
    pages = await servePages(folder, '<script src="dist/iife/index.js"></script>');
    browser = await startBrowser();
  });

  after(async () => {
    await browser.close();
    await pages.stop();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('passes its setup, tests and type check', async () => {
    for (const command of [manifest.setup, manifest.test, 'npm run check']) {
      const { code, output } = await run(command);
      assert.equal(code, 0, `${command}\n${output}`);
      if (command === manifest.test) assert.match(output, /pass [1-9]\d[\s\S]*fail 0/);
    }
  });

  it('has types that match its ES modules', async () => {
    const packed = await run('npm pack --ignore-scripts --silent');
    const tarball = await readFile(path.join(folder, packed.output.trim().split('\n').at(-1)!));
    // A script defines a global, so an import of it has no types.
    const excludeEntrypoints = ['./dist/iife/index.js'];
    const data = createPackageFromTarballData(new Uint8Array(tarball));
    const analysis = await checkPackage(data, { excludeEntrypoints });
    assert.ok(analysis.types !== false);
    const kinds = analysis.problems.map(({ kind }) => kind);
    // Pages cannot use CommonJS, so the package has none.
    assert.deepEqual(
      kinds.filter((kind) => kind !== 'CJSResolvesToESM'),
      [],
    );
  });

  it('is ready to publish', async () => {
    const { messages } = await publint({ pkgDir: folder, pack: false, level: 'warning' });
    assert.deepEqual(
      messages.map(({ code }) => code),
      [],
    );
  });

  it('exports a classic script', async () => {
    const { name } = JSON.parse(fixture.files.get('package.json')!) as { name: string };
    const { code, output } = await run(`node -p 'require.resolve("${name}/dist/iife/index.js")'`);
    assert.equal(code, 0, output);
    assert.match(output, /dist\/iife\/index\.js$/m);
  });

  it('has a classic script that provides all exports in one global', async () => {
    const script = server.open([{ flowOutput: { text: 'back' } }]);
    const page = await (await browser.profile()).newPage();
    await page.goto(`${pages.origin}/`);
    const text = await page.evaluate(
      async ({ baseUrl }) => {
        const { AcmeConformance: sdk } = globalThis as unknown as {
          AcmeConformance: {
            ConformanceClient: new (options: object) => {
              echoTwice(input: object): Promise<{ text: string }>;
            };
          };
        };
        const client = new sdk.ConformanceClient({ apiKey: 'svcapp_1', baseUrl, beacon: false });
        return (await client.echoTwice({ text: 'there' })).text;
      },
      { baseUrl: script.baseUrl },
    );
    assert.equal(text, 'back');
    const exported = await page.evaluate(() =>
      Object.keys((globalThis as unknown as { AcmeConformance: object }).AcmeConformance),
    );
    for (const name of ['connect', 'echoTwice', 'Beacon', 'SvcError', 'everythingType', 'toJson'])
      assert.ok(exported.includes(name), name);
  });

  it('has an example page whose command prints the response as ProtoJSON', async () => {
    const script = server.open([{ flowOutput: { text: 'a < b & c' } }]);
    const { example } = manifest.members.find(({ alias }) => alias === 'echo-twice')!;
    const input = JSON.stringify({ text: 'say "it"' });
    const shown = await run(`${example!} '${input}'`, script.baseUrl);
    assert.equal(shown.code, 0, shown.output);
    assert.equal((JSON.parse(shown.output) as { text: string }).text, 'a < b & c');
    assert.match(script.requests[0]!.body, /say \\"it\\"/);
  });

  it('has an example page that shows the class and message of an error, and exits with 1', async () => {
    const script = server.open([
      { status: 403, json: { error: 'app_key_graph_denied', message: 'not yours' } },
    ]);
    const { example } = manifest.members.find(({ alias }) => alias === 'echo-twice')!;
    const shown = await run(example!, script.baseUrl);
    assert.equal(shown.code, 1);
    assert.match(shown.output, /AppKeyGraphDeniedError: not yours/);
  });

  /** Runs a shell command in the archive's folder. */
  function run(command: string, baseUrl = 'http://svc.invalid'): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      const env = { ...process.env, SVC_API_KEY: 'svcapp_1', SVC_BASE_URL: baseUrl };
      execFile('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' }, (error, stdout, stderr) => {
        resolve({
          code: error === null ? 0 : Number(error.code),
          output: error === null ? stdout : `${stdout}${stderr}`,
        });
      });
    });
  }
});
