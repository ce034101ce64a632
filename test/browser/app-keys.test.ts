import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type BrowserSession, startBrowser } from '../support/browser.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type PageServer, servePages } from '../support/page-server.ts';
import { twoSteps } from '../support/step-package.ts';
import { suiteNeeds } from '../support/toolchains.ts';

/** What a script of the page received. */
interface Seen {
  status?: number;
  body?: Record<string, unknown>;
  retryAfter?: string | null;
  error?: string;
}

suiteNeeds('chromium', 'pages on another origin that call the service', function () {
  this.timeout(180_000);
  let folder: string;
  let flows: FlowService;
  let graph: string;
  let pages: PageServer;
  let browser: BrowserSession;
  let page: Page;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-page-'));
    flows = await startFlowService();
    graph = await flows.compile(twoSteps());
    pages = await servePages(folder);
    browser = await startBrowser();
    page = await (await browser.profile()).newPage();
    await page.goto(pages.origin);
  });
  after(async () => {
    await browser.close();
    await pages.stop();
    await flows.stop();
    await rm(folder, { recursive: true });
  });

  const mint = async (fields: object): Promise<string> => {
    const asked = { name: 'page', graph_ids: [graph], ...fields };
    const answer = await flows.acme.post('/api/v1/api-keys', asked);
    return (answer.body as { key: string }).key;
  };

  const call = (key: string, route: string, body?: object): Promise<Seen> =>
    page.evaluate(
      async ({ url, key, body }): Promise<Seen> => {
        try {
          const answer = await fetch(url, {
            method: 'POST',
            keepalive: true,
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-own': '1' },
            ...(body === undefined ? {} : { body }),
          });
          const { status, headers } = answer;
          return {
            status,
            body: (await answer.json()) as Record<string, unknown>,
            retryAfter: headers.get('retry-after'),
          };
        } catch (error) {
          return { error: String(error) };
        }
      },
      { url: `${flows.service.url}/invocations/v1/flows/${route}`, key, body: body && JSON.stringify(body) },
    );
  const invocation = () => ({ graph_id: graph, input: { text: 'x' }, wait: true });

  it('run and warm flows with an app key that allows their origin', async () => {
    const key = await mint({ allowed_origins: [pages.origin] });
    const ran = await call(key, 'invoke', invocation());
    assert.deepEqual([ran.status, ran.body?.accepted], [202, true], JSON.stringify(ran));
    const warmed = await call(key, 'warm');
    assert.deepEqual([warmed.status, warmed.body?.held], [202, [graph]], JSON.stringify(warmed));
  });

  it('can read error responses and Retry-After', async () => {
    const key = await mint({ allowed_origins: [pages.origin] });
    for (let time = 0; time < 3; time += 1) await call(key, 'warm');
    const often = await call(key, 'warm');
    assert.deepEqual([often.status, often.body?.error], [429, 'warm_rate_limited']);
    assert.ok(Number(often.retryAfter) > 0);
    const denied = await call(key, 'warm', { graph_id: 'another' });
    assert.deepEqual([denied.status, denied.body?.error], [403, 'app_key_graph_denied']);
    const unknown = await call(`svcapp_${'0'.repeat(64)}`, 'invoke', invocation());
    assert.deepEqual([unknown.status, unknown.body?.error], [401, 'unauthorized']);
  });

  it('cannot read responses with an app key for another origin or with a full key', async () => {
    const elsewhere = await mint({ allowed_origins: ['https://elsewhere.example.com'] });
    for (const key of [elsewhere, flows.acme.key]) {
      assert.match((await call(key, 'invoke', invocation())).error ?? '', /Failed to fetch/);
    }
  });
});
