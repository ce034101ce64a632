import assert from 'node:assert/strict';
import { extname } from 'node:path';
import { itSlow } from '../support/fast-run.ts';
import {
  type Caller,
  eachService,
  request,
  type RunningService,
  startService,
} from '../support/running-service.ts';
import { publishSteps, twoSteps } from '../support/step-package.ts';

eachService('pages over HTTP', (start) => {
  let service: RunningService;
  let acme: Caller;
  let graphId: string;

  before(async function () {
    this.timeout(180_000);
    service = await start();
    acme = await service.tenant('acme');
    const other = await service.tenant('other');
    const open = { visibility: 'public' };
    await publishSteps(acme, { ...open, version: '1.9.0', description: 'Before.' });
    await publishSteps(acme, { ...open, version: '1.10.0', description: 'Takes 100% of_steps.' });
    await publishSteps(acme, { visibility: 'private', name: 'acme/hidden', description: 'Steps in secret.' });
    await publishSteps(other, { ...open, name: 'other/walk', description: String.raw`<b>Left\Right</b>` });
    const compiled = await acme.post('/api/v1/graphs/compile', twoSteps({ name: 'Quiet flow' }));
    assert.equal(compiled.status, 201, JSON.stringify(compiled.body));
    graphId = compiled.body.graph_id;
  });
  after(() => service.stop());

  const page = async (path: string, status = 200): Promise<string> => {
    const answer = await request(service.url + path);
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    return answer.body as string;
  };
  const listed = (text: string): string[] =>
    [...text.matchAll(/<h3><a href="[^"]*">([^<]*)<\/a>/g)].map(([, name = '']) => name);

  it('list public packages with their versions, but no private ones', async () => {
    const text = await page('/docs');
    assert.deepEqual(listed(text), ['acme/steps', 'other/walk']);
    assert.ok(!text.includes('acme/hidden') && !text.includes('in secret'));
    assert.ok(text.indexOf('>1.10.0</a>') < text.indexOf('>1.9.0</a>'), 'newest first');
    assert.match(text, /&lt;b&gt;Left\\Right&lt;\/b&gt;/);
  });

  it('find packages by name and description', async () => {
    const cases: [string, string[]][] = [
      ['STEPS', ['acme/steps']],
      ['other/w', ['other/walk']],
      ['100% of_', ['acme/steps']],
      ['%', ['acme/steps']],
      ['_', ['acme/steps']],
      ['\\', ['other/walk']],
      ["'", []],
      ['secret', []],
      ['  ', ['acme/steps', 'other/walk']],
    ];
    for (const [search, expected] of cases) {
      const text = await page(`/docs?q=${encodeURIComponent(search)}`);
      assert.deepEqual(listed(text), expected, search);
    }
    await page(`/docs?q=${'x'.repeat(100)}`);
    assert.equal((await request(`${service.url}/docs?q=${'x'.repeat(101)}`)).status, 400);
  });

  it('redirect the root to /docs', async () => {
    const { status, headers } = await request(service.url, { redirect: 'manual' });
    assert.deepEqual([status, headers.get('location')], [302, '/docs']);
  });

  it('show a public package to every caller, by version and by latest', async () => {
    const text = await page('/api/packages/acme/steps@1.9.0/docs');
    assert.match(text, /data-document="\/api\/packages\/acme\/steps@1\.9\.0\/openapi\.json"/);
    const latest = await page('/api/packages/acme/steps@latest/docs');
    assert.equal(latest, await page('/api/packages/acme/steps@1.10.0/docs'));
    const [, document = ''] = /data-document="([^"]*)"/.exec(text) ?? [];
    assert.equal((await request(service.url + document)).status, 200);
  });

  it("show the service's own operations to every caller", async () => {
    const text = await page('/docs/api');
    const [, document = ''] = /data-document="([^"]*)"/.exec(text) ?? [];
    assert.equal((await request(service.url + document)).status, 200);
  });

  it('treat a private package as unknown, and ask for a key', async () => {
    const hidden = await page('/api/packages/acme/hidden@1.0.0/docs', 404);
    const unknown = await page('/api/packages/acme/nobody@1.0.0/docs', 404);
    assert.equal(hidden.replaceAll('acme/hidden', 'acme/nobody'), unknown);
    assert.match(hidden, /data-document-key="required"/);
    await page('/api/packages/acme/steps@9.9.9/docs', 404);
  });

  it('are the same for every flow id, known or unknown', async () => {
    const known = await page(`/api/graphs/${graphId}/docs`);
    assert.ok(!known.includes('Quiet'));
    assert.equal(known.replaceAll(graphId, 'x'), await page('/api/graphs/x/docs'));
  });

  it('escape text from the URL', async () => {
    const hostile = encodeURIComponent('"><script>alert(1)</script>');
    for (const path of [`/api/graphs/${hostile}/docs`, `/docs?q=${hostile}`]) {
      assert.ok(!(await page(path)).includes('<script>'), path);
    }
    assert.ok(!(await page(`/api/packages/acme/${hostile}@1/docs`, 404)).includes('<script>'));
  });

  it('restrict scripts and requests to the service in their Content-Security-Policy', async () => {
    for (const path of [
      '/docs',
      '/api/packages/acme/steps@latest/docs',
      '/api/packages/a/b@1/docs',
      '/api/graphs/x/docs',
    ]) {
      const { headers } = await request(service.url + path);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self'; /);
      assert.match(policy, /connect-src 'self';.*base-uri 'none'; frame-ancestors 'none'/);
      assert.equal(/form-action ('\w+')/.exec(policy)?.[1], path === '/docs' ? "'self'" : "'none'");
      assert.doesNotMatch(policy, /unsafe-eval|https?:|script-src[^;]*unsafe|\*/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
    }
  });

  it('contain no inline scripts or handlers', async () => {
    for (const path of ['/docs', '/api/packages/acme/steps@latest/docs', '/api/graphs/x/docs']) {
      const text = await page(path);
      assert.doesNotMatch(text, /<script(?![^>]* src=)/);
      assert.doesNotMatch(text, /\son\w+=|<style|style=/);
      assert.match(text, /<html lang="en">/);
      assert.match(text, /<title>[^<]+<\/title>/);
    }
  });

  it('have a title without the id of the flow', async () => {
    const text = await page('/api/graphs/0123456789abcdef/docs');
    assert.match(text, /<title>Flow - svc<\/title>/);
    assert.match(text, /<h1 [^>]*>Flow<\/h1>/);
  });

  it('are cacheable: ETag, 304, HEAD', async () => {
    const path = '/api/packages/acme/steps@latest/docs';
    const first = await request(service.url + path);
    const tag = first.headers.get('etag') ?? '';
    const again = await request(service.url + path, { headers: { 'if-none-match': tag } });
    assert.deepEqual([again.status, again.body], [304, '']);
    assert.ok(again.headers.get('content-security-policy'));
    const head = await fetch(service.url + path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, tag, '']);
  });

  itSlow('load immutable assets in an encoding that the client accepts', async function () {
    this.timeout(300_000);
    const text = await page('/api/packages/acme/steps@latest/docs');
    const files = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]*)"/g)].map(([, file = '']) => file);
    assert.deepEqual(files.map((file) => extname(file)).sort(), ['.css', '.js', '.js', '.js', '.js', '.js']);
    for (const file of files) {
      for (const [accepted, coding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip;q=1.0, br;q=0', 'gzip'],
        ['identity', null],
      ] as const) {
        const { status, headers } = await request(service.url + file, {
          headers: { 'accept-encoding': accepted },
        });
        assert.deepEqual([status, headers.get('content-encoding')], [200, coding], file);
        assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
        assert.equal(headers.get('vary'), 'Accept-Encoding');
        assert.match(headers.get('content-type') ?? '', /^text\/(css|javascript); charset=utf-8$/);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        const tag = headers.get('etag') ?? '';
        const kept = { 'accept-encoding': accepted, 'if-none-match': tag };
        assert.equal((await request(service.url + file, { headers: kept })).status, 304);
      }
    }
    const missing = await request(`${service.url}/docs/assets/reference.0000000000000000.js`);
    assert.equal(missing.status, 404);
    assert.match(missing.body.error, /^file not found/);
  });
});

describe('pages behind a proxy with a path prefix', () => {
  it('prefix all of their links', async function () {
    this.timeout(300_000);
    const service = await startService({ SVC_PUBLIC_URL: 'https://example.com/svc/' });
    try {
      const home = await request(service.url, { redirect: 'manual' });
      assert.equal(home.headers.get('location'), '/svc/docs');
      const { body } = await request(`${service.url}/api/graphs/x/docs`);
      const links = [...(body as string).matchAll(/(?:src|href|data-document|action)="([^"]*)"/g)].map(
        ([, link]) => link ?? '',
      );
      const own = links.filter((link) => link !== 'data:,');
      assert.ok(own.length >= 5);
      for (const link of own) assert.match(link, /^\/svc\//);
    } finally {
      await service.stop();
    }
  });
});
