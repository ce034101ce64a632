import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { type BrowserSession, startBrowser } from '../support/browser.ts';
import { type PageServer, servePages } from '../support/page-server.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type ArchiveScene, startArchiveScene } from './support/archive-scene.ts';
import { type NpmRegistry, publishArchive } from './support/npm-registry.ts';
import { typeCheckConsumers } from './support/typescript-consumers.ts';

const name = '@acme/everything-in-typescript-browser-browser';
const globalName = 'AcmeEverythingInTypescriptBrowser';

/** A consumer's program: the client with its beacon, tokens, inputs and errors. */
const consumer = `
import { Beacon, connect, echoTwice, EverythingInTypescriptBrowserClient, isSvcError } from "${name}";
import type { Everything } from "${name}";
const client = new EverythingInTypescriptBrowserClient({ token: () => "key", baseUrl: "https://svc.example.com", beacon: false });
export async function main(color: "COLOR_RED" | "COLOR_NEGATIVE"): Promise<Everything | undefined> {
  try {
    const output = await client.echoTwice({ text: "a", large: 1, at: new Date(), color });
    new Beacon(connect({ apiKey: "key", baseUrl: "https://svc.example.com" })).start();
    return await echoTwice(client.connection, output);
  } catch (error) {
    if (!isSvcError(error)) throw error;
    console.log(error.code);
    return undefined;
  } finally {
    client.dispose();
  }
}
`;

suiteNeeds('chromium', 'the packaged SDK for browsers', function () {
  this.timeout(600_000);
  let scene: ArchiveScene;
  let registry: NpmRegistry;
  let browser: BrowserSession;
  let pages: PageServer;
  let key: string;
  before(async () => {
    scene = await startArchiveScene('typescript-browser');
    registry = await publishArchive(scene);
    const minted = await scene.acme.post('/api/v1/api-keys', {
      name: 'pages',
      scopes: ['invoke'],
      graph_ids: [scene.graphId],
      allowed_origins: [],
      rate_rps: 50,
      rate_burst: 50,
    });
    assert.equal(minted.status, 201, JSON.stringify(minted.body));
    ({ key } = minted.body as { key: string });
    await mkdir(path.join(scene.project, 'site'));
    pages = await servePages(
      path.join(scene.project, 'site'),
      '<script src="classic.js"></script><script type="module" src="bundle.js"></script>',
    );
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await pages.stop();
    await registry.stop();
    await scene.stop();
  });

  it('is installed by the commands of its README as printed, from its folder and from a registry', async () => {
    const blocks = await scene.readmeBlocks('sh');
    assert.deepEqual(blocks, ['npm install path/to/the/unpacked/archive\n', `npm install ${name}\n`]);
    for (const command of blocks) {
      const installed = await scene.run(scene.project, `npm uninstall ${name}\n${command}`);
      assert.equal(installed.code, 0, `${command}${installed.output}`);
    }
  });

  it('has types for consumers from TypeScript 4.9 to the newest', async () => {
    assert.deepEqual(await typeCheckConsumers(scene, consumer, 'esm'), []);
  });

  it('calls the running service from a page, bundled and as the CDN script', async () => {
    const { project } = scene;
    const installed = path.join(project, 'node_modules', name);
    const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as {
      unpkg: string;
      jsdelivr: string;
    };
    assert.equal(manifest.unpkg, manifest.jsdelivr);
    await copyFile(path.join(installed, manifest.unpkg), path.join(project, 'site/classic.js'));
    await build({
      stdin: { contents: `import * as sdk from "${name}"; globalThis.bundled = sdk;`, resolveDir: project },
      bundle: true,
      format: 'esm',
      minify: true,
      outfile: path.join(project, 'site/bundle.js'),
    });
    const page = await (await browser.profile()).newPage();
    await page.goto(`${pages.origin}/`);
    for (const global of [globalName, 'bundled']) {
      const text = await page.evaluate(
        async ({ global, apiKey, baseUrl }) => {
          const sdk = (globalThis as unknown as Record<string, Sdk>)[global]!;
          const client = new sdk.EverythingInTypescriptBrowserClient({ apiKey, baseUrl });
          const output = await client.echoTwice({ text: 'from a page', large: 1 });
          client.dispose();
          return output.text;
        },
        { global, apiKey: key, baseUrl: scene.serviceUrl },
      );
      assert.equal(text, 'from a page');
    }
  });

  it('includes a minified CDN script', async () => {
    const script = await readFile(path.join(scene.archive, 'dist/iife/index.js'), 'utf8');
    assert.ok(script.startsWith(`var ${globalName}=`));
    assert.ok(script.split('\n').length < 10);
  });

  it('runs its examples without arguments or installed packages', async () => {
    for (const { alias, example } of scene.manifest.members) {
      if (example === undefined) continue;
      const { code, output } = await scene.run(scene.archive, example, { SVC_API_KEY: key });
      assert.equal(code, 0, `${alias}: ${output}`);
      assert.doesNotThrow(() => JSON.parse(output) as unknown, output);
    }
  });

  it('passes its own checks', async () => {
    for (const command of [scene.manifest.setup, 'npm run check', scene.manifest.test]) {
      const { code, output } = await scene.run(scene.archive, command);
      assert.equal(code, 0, `${command}\n${output}`);
    }
  });
});

/** The part of the package that a page uses. */
interface Sdk {
  EverythingInTypescriptBrowserClient: new (options: object) => {
    echoTwice(input: object): Promise<{ text: string }>;
    dispose(): void;
  };
}
