import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { strFromU8, unzipSync } from 'fflate';
import { itSlow } from '../support/fast-run.ts';
import { textPackage } from '../support/published-text.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

const brokenLanguage = `
  export const language = {
    id: 'broken',
    archiveSuffix: 'broken',
    plan: ({ client }) => ({
      files: () => { throw new Error('no way to say ' + JSON.stringify(client.name)); },
      snippet: () => '',
      terms: { languageName: 'Broken' },
    }),
  };
`;

/** The eighth language, as docs/adding-a-language.md adds it: two folders and nothing else. */
describe('a language added by two folders', function () {
  this.timeout(300_000);
  let root: string;
  let service: RunningService;
  let acme: Caller;

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'svc-added-language-'));
    const written = await writeFilesOfPage('docs/adding-a-language.md', root);
    assert.ok(written.every((file) => /^(generator\/languages|templates)\/toy\//.test(file)));
    await mkdir(path.join(root, 'generator/languages/broken'));
    await writeFile(path.join(root, 'generator/languages/broken/language.ts'), brokenLanguage);
    await symlink(path.join(projectRoot, 'templates/documents'), path.join(root, 'templates/documents'));
    const folders = {
      generatorDir: path.join(root, 'generator'),
      templatesDir: path.join(root, 'templates'),
    };
    service = await startService({}, { languages: folders });
    acme = await service.tenant('acme');
    assert.equal((await acme.post('/api/v1/packages', textPackage('acme'))).status, 201);
  });
  after(async () => {
    await service.stop();
    await rm(root, { recursive: true, force: true });
  });

  const makeClient = (name: string, language: string) =>
    acme.post('/api/v1/clients', { name, default_language: language });

  itSlow('is built and downloaded over HTTP', async () => {
    const created = await makeClient('Shop', 'toy');
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const client = `/api/v1/clients/${created.body.id}`;
    const member = { type: 'node', package: 'acme/text', node_name: 'Tokenize', alias: 'say hello' };
    assert.equal((await acme.post(`${client}/members`, member)).status, 201);
    const compiled = await acme.post('/api/v1/graphs/compile', {
      name: 'Words',
      entry: 'tokenize',
      terminal: 'tokenize',
      nodes: [{ id: 'tokenize', package: 'acme/text', node_name: 'Tokenize' }],
    });
    const flow = { type: 'flow', artifact_id: compiled.body.graph_id, alias: 'find words' };
    assert.equal((await acme.post(`${client}/members`, flow)).status, 201);
    assert.equal((await acme.post(`${client}/build`, {})).status, 202);
    const row = await finished(`${client}/versions/1?language=toy`);
    assert.equal(row.status, 'succeeded', row.error);

    const download = await fetch(`${service.url}${client}/versions/1/download?language=toy`, {
      headers: { authorization: `Bearer ${acme.key}` },
    });
    assert.equal(download.headers.get('content-disposition'), 'attachment; filename=shop-sdk-toy.zip');
    const files = unzipSync(new Uint8Array(await download.arrayBuffer()));
    const text = (file: string): string => strFromU8(files[file] ?? assert.fail(`no ${file}`));
    assert.equal(text('README.md'), '# shop 1.0.0\n');
    assert.equal(text('calls.toy'), 'call "find words"\ncall "say hello"\n');
    assert.equal(text('core.toy'), 'to call: say hello {{this is no template}}\n');
    assert.match(text('CHANGELOG.md'), /1\.0\.0/);
    const manifest = JSON.parse(text('MANIFEST.json')) as { language: string; package: object };
    assert.equal(manifest.language, 'toy');
    assert.deepEqual(manifest.package, { name: 'acme-shop', import: 'shop' });
  });

  it('fails its builds with its own error and leaves no archive when it is broken', async () => {
    const client = `/api/v1/clients/${(await makeClient('Bundle', 'broken')).body.id}`;
    const member = { type: 'node', package: 'acme/text', node_name: 'Tokenize' };
    assert.equal((await acme.post(`${client}/members`, member)).status, 201);
    assert.equal((await acme.post(`${client}/build`, {})).status, 202);
    const row = await finished(`${client}/versions/1?language=broken`);
    assert.deepEqual([row.status, row.error], ['failed', 'no way to say "Bundle"']);
    const download = await acme.get(`${client}/versions/1/download?language=broken`);
    assert.deepEqual([download.status, download.body.error], [409, 'build is not ready (status: failed)']);
  });

  it('adds its code samples to the package documents', async () => {
    const { body } = await acme.get('/api/packages/acme/text@latest/openapi.json');
    assert.match(JSON.stringify(body), /"lang":"Toy","label":"Toy","source":"call \\"\w+\\"\\n"/);
  });

  it('is accepted by name, and unknown languages are refused', async () => {
    const { status, body } = await makeClient('Other', 'go');
    assert.deepEqual([status, body.error], [400, 'unsupported language: go']);
  });

  async function finished(url: string): Promise<{ status: string; error: string }> {
    for (;;) {
      const { body } = await acme.get(url);
      if (body.status !== 'pending') return body as { status: string; error: string };
      await delay(20);
    }
  }
});

/** Writes each block of a page whose fence names a file; their paths. */
async function writeFilesOfPage(page: string, root: string): Promise<string[]> {
  const markdown = await readFile(path.join(projectRoot, page), 'utf8');
  const blocks = [...markdown.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)];
  for (const [, file = '', content = ''] of blocks) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), content);
  }
  assert.ok(blocks.length > 0, `${page} has no files`);
  return blocks.map(([, file = '']) => file);
}
