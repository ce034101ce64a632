import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { type Script, type ScriptedServer, startScriptedServer } from '../conformance/scripted-server.ts';
import { type BrowserSession, startBrowser } from '../support/browser.ts';
import { type PageServer, servePages } from '../support/page-server.ts';
import { loadSdkFixture } from '../support/sdk-fixtures.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const apiKey = 'svcapp_5ca1ab1e';
const warmed = { status: 202, json: { warmed: true } };
const MINUTE = 60_000;

/** State of one test page. */
interface PageScope {
  sdk: { ConformanceClient: new (options: object) => PageScope['client'] };
  client: { beacon: { start(): void; stop(): void; beat(): Promise<void> } };
  inits: { keepalive?: boolean }[];
  /** Beats that were answered, or failed. */
  ended: number;
  tokensAsked: number;
}

interface TabOptions {
  beacon?: boolean;
  /** What a token provider gives, one by one, then always the last; null: it fails. Absent: the client has an app key. */
  tokens?: (string | null)[];
  /** Does not wait until the page has loaded. */
  early?: boolean;
}

suiteNeeds('chromium', 'the warm beacon in a browser, with the service on another origin', function () {
  this.timeout(180_000);
  let folder: string;
  let server: ScriptedServer;
  let pages: PageServer;
  let browser: BrowserSession;
  let context: BrowserContext;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-beacon-'));
    const { language, templates } = await loadLanguage('typescript-browser');
    for (const file of await sdkFiles(await loadSdkFixture('conformance'), language, templates)) {
      await mkdir(path.dirname(path.join(folder, file.path)), { recursive: true });
      await writeFile(path.join(folder, file.path), file.content);
    }
    const script =
      'import * as sdk from "./src/index.ts"; Object.assign(globalThis, { sdk, inits: [], ended: 0, tokensAsked: 0 });';
    pages = await servePages(folder, `<script type="module">${script}</script>`);
    server = await startScriptedServer();
    browser = await startBrowser({ keepsPages: true });
  });

  beforeEach(async () => {
    context = await browser.profile();
    await context.clock.install({ time: new Date('2026-01-31T12:00:00Z') });
    await context.clock.pauseAt(new Date('2026-01-31T13:00:00Z'));
  });

  afterEach(() => context.close());

  after(async () => {
    await browser.close();
    await server.stop();
    await pages.stop();
    await rm(folder, { recursive: true });
  });

  /** A tab with a client in it. The clock of all tabs stands still until it is moved. */
  async function openTab(script: Script, { early, ...given }: TabOptions = {}): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${pages.origin}/`, { waitUntil: early === true ? 'domcontentloaded' : 'load' });
    await page.evaluate(
      ({ tokens, apiKey, ...options }) => {
        const scope = globalThis as unknown as PageScope;
        const recording = (url: string, init: RequestInit): Promise<Response> => {
          scope.inits.push({ keepalive: init.keepalive ?? false });
          return fetch(url, init).catch((error: unknown) => {
            scope.ended += 1;
            throw error;
          });
        };
        const token = (): string => {
          scope.tokensAsked += 1;
          const next = tokens?.length === 1 ? tokens[0] : tokens?.shift();
          if (typeof next !== 'string') throw new Error('nobody has signed in');
          return next;
        };
        const logger = ({ type }: { type: string }): void => {
          if (type === 'response') scope.ended += 1;
        };
        const key = tokens === undefined ? { apiKey } : { token };
        scope.client = new scope.sdk.ConformanceClient({ fetch: recording, logger, ...key, ...options });
      },
      { apiKey, baseUrl: script.baseUrl, ...given },
    );
    return page;
  }

  /** Moves the clock, and then waits until so many beats have come in all. */
  async function beatsAfter(ms: number, script: Script, count: number): Promise<void> {
    // In steps, since tabs have their turns one after another.
    for (let left = ms; left > 0; left -= 30_000) {
      await context.clock.runFor(Math.min(left, 30_000));
      await storageShared();
    }
    const endsAt = Date.now() + 30_000;
    // Turns and answers come by the real clock, and set timers of the other one.
    while (script.requests.length < count && Date.now() < endsAt) {
      await context.clock.runFor(1);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    while ((await beatsUnderWay()) > 0 && Date.now() < endsAt) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    // A beat too many has time to come.
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(script.requests.length, count, `beats after ${ms} ms more`);
  }

  /**
   * Waits until all tabs read the same from their storage. A browser passes on what one tab has written a little
   * later, which is long for a clock that runs at once: a renewed lease would have expired before the others read it.
   */
  async function storageShared(): Promise<void> {
    const read = () =>
      Promise.all(
        context.pages().map((page) => page.evaluate('JSON.stringify(Object.entries(localStorage).sort())')),
      );
    const endsAt = Date.now() + 30_000;
    while (new Set(await read()).size > 1 && Date.now() < endsAt) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Of all tabs: the clock must not move before their answers have set the next wait. */
  async function beatsUnderWay(): Promise<number> {
    const counts = context.pages().map((page) =>
      page.evaluate(() => {
        const { inits, ended } = globalThis as unknown as Partial<PageScope>;
        return (inits?.length ?? 0) - (ended ?? 0);
      }),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** Waits until the token provider of a tab has been called so often; then the next wait of its beacon is set. */
  async function tokensAsked(page: Page, count: number): Promise<void> {
    const askedNow = () => page.evaluate(() => (globalThis as unknown as PageScope).tokensAsked);
    while ((await askedNow()) < count) {
      await context.clock.runFor(1);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(await askedNow(), count);
  }

  /** Hides or shows a tab as the browser reports it. */
  async function setHidden(page: Page, hidden: boolean): Promise<void> {
    await page.evaluate((isHidden) => {
      const { document } = globalThis as unknown as { document: EventTarget };
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, hidden);
  }

  it('beats on load for all flows of the key, with a keepalive request', async () => {
    const script = server.open([warmed]);
    const page = await openTab(script);
    await beatsAfter(0, script, 1);
    const [request] = script.requests;
    assert.equal(request!.path, '/invocations/v1/flows/warm');
    assert.equal(request!.headers.authorization, `Bearer ${apiKey}`);
    assert.equal(request!.headers.origin, pages.origin);
    assert.equal(request!.body, '{}');
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as PageScope).inits), [
      { keepalive: true },
    ]);
  });

  it('then beats every 4 minutes', async () => {
    const script = server.open([warmed, warmed, warmed]);
    await openTab(script);
    await beatsAfter(0, script, 1);
    await beatsAfter(4 * MINUTE - 1_000, script, 1);
    await beatsAfter(1_000, script, 2);
    await beatsAfter(4 * MINUTE, script, 3);
  });

  it('pauses while the page is hidden and beats immediately if a beat is due when it is shown', async () => {
    const script = server.open([warmed, warmed]);
    const page = await openTab(script);
    await beatsAfter(0, script, 1);
    await setHidden(page, true);
    await beatsAfter(60 * MINUTE, script, 1);
    await setHidden(page, false);
    await beatsAfter(0, script, 2);
  });

  it('pauses while the browser is offline', async () => {
    const script = server.open([warmed, warmed]);
    await openTab(script);
    await beatsAfter(0, script, 1);
    await context.setOffline(true);
    await beatsAfter(60 * MINUTE, script, 1);
    await context.setOffline(false);
    await beatsAfter(0, script, 2);
  });

  it('retries after 30 seconds, doubling, and no earlier than Retry-After', async () => {
    const failed = { status: 503, json: {} };
    const later = { status: 429, headers: { 'retry-after': '200' }, json: { error: 'warm_rate_limited' } };
    const script = server.open([failed, failed, later, warmed]);
    await openTab(script);
    await beatsAfter(0, script, 1);
    await beatsAfter(29_000, script, 1);
    await beatsAfter(1_000, script, 2);
    await beatsAfter(59_000, script, 2);
    await beatsAfter(1_000, script, 3);
    await beatsAfter(199_000, script, 3);
    await beatsAfter(1_000, script, 4);
  });

  it('can be disabled, sent manually, started and stopped', async () => {
    const script = server.open([warmed, warmed]);
    const page = await openTab(script, { beacon: false });
    await beatsAfter(10 * MINUTE, script, 0);
    await page.evaluate(() => (globalThis as unknown as PageScope).client.beacon.beat());
    await beatsAfter(10 * MINUTE, script, 1);
    await page.evaluate(() => {
      (globalThis as unknown as PageScope).client.beacon.start();
    });
    await beatsAfter(0, script, 2);
    await page.evaluate(() => {
      (globalThis as unknown as PageScope).client.beacon.stop();
    });
    await beatsAfter(10 * MINUTE, script, 2);
  });

  for (const [by, init] of [
    ['locks', ''],
    ['a lease, where pages have no locks', 'delete Navigator.prototype.locks'],
  ] as const)
    it(`beats in one of many tabs, by ${by}`, async () => {
      await context.addInitScript(init);
      const script = server.open([warmed, warmed, warmed]);
      const first = await openTab(script);
      await beatsAfter(0, script, 1);
      await openTab(script);
      await beatsAfter(5_000, script, 1);
      await beatsAfter(4 * MINUTE, script, 2);
      await setHidden(first, true);
      // The lease is looked at twice a minute, and the tabs share the time of the next beat.
      await beatsAfter(30_000, script, 2);
      await beatsAfter(4 * MINUTE, script, 3);
    });

  it('waits until the page has loaded', async () => {
    await context.addInitScript(`addEventListener('DOMContentLoaded', () => {
      document.body.append(Object.assign(new Image(), { src: '/slow.png' }));
    })`);
    let load: () => void = () => undefined;
    await context.route('**/slow.png', (route) => {
      load = () => void route.fulfill({ body: '' });
    });
    const script = server.open([warmed]);
    await openTab(script, { early: true });
    await beatsAfter(5 * MINUTE, script, 0);
    load();
    await beatsAfter(0, script, 1);
  });

  it('continues in another tab when the beating tab is closed', async () => {
    const script = server.open([warmed, warmed]);
    const first = await openTab(script);
    await beatsAfter(0, script, 1);
    await openTab(script);
    await first.close();
    await beatsAfter(0, script, 1);
    await beatsAfter(4 * MINUTE, script, 2);
  });

  it('continues in another tab once the lease of a crashed tab expires, without Web Locks', async () => {
    await context.addInitScript('delete Navigator.prototype.locks');
    const script = server.open([warmed, warmed]);
    const first = await openTab(script);
    await beatsAfter(0, script, 1);
    await openTab(script);
    const devtools = await context.newCDPSession(first);
    devtools.send('Page.crash').catch(() => undefined);
    await first.waitForEvent('crash');
    await first.close();
    await beatsAfter(2 * MINUTE, script, 1);
    await beatsAfter(2 * MINUTE, script, 2);
  });

  it('delivers a beat after its page is closed', async () => {
    const script = server.open([{ ...warmed, delayMs: 500 }]);
    const page = await openTab(script);
    await context.clock.runFor(1);
    while (script.requests.length === 0) await context.clock.runFor(1);
    await page.close();
    await new Promise((resolve) => setTimeout(resolve, 800));
    assert.equal(script.requests[0]!.abandoned, false);
  });

  it('pauses in the back/forward cache and continues when the user returns', async () => {
    const script = server.open([warmed, warmed, warmed]);
    const page = await openTab(script);
    await beatsAfter(0, script, 1);
    await page.goto(`${pages.origin}/?another`);
    await beatsAfter(10 * MINUTE, script, 1);
    // Its turn is free meanwhile.
    const second = await openTab(script);
    await beatsAfter(0, script, 2);
    await second.close();
    await page.goBack({ waitUntil: 'commit' });
    assert.ok(await page.evaluate(() => 'client' in globalThis), 'the page is the one that was left');
    // Its clock has stood still.
    await beatsAfter(4 * MINUTE, script, 3);
  });

  it('retries a failed token provider with increasing delays, and calls it once more when its token is rejected', async () => {
    const refused = { status: 401, json: { error: 'unauthorized' } };
    const script = server.open([warmed, refused, warmed]);
    const page = await openTab(script, { beacon: true, tokens: [null, null, 'first', 'second'] });
    // A failed provider sends no beat, and the beacon gets its turn by the real clock.
    await tokensAsked(page, 1);
    await beatsAfter(29_000, script, 0);
    await tokensAsked(page, 1);
    await beatsAfter(1_000, script, 0);
    await tokensAsked(page, 2);
    await beatsAfter(59_000, script, 0);
    await tokensAsked(page, 2);
    await beatsAfter(1_000, script, 1);
    await beatsAfter(4 * MINUTE, script, 3);
    const keys = script.requests.map(({ headers }) => headers.authorization);
    assert.deepEqual(keys, ['Bearer first', 'Bearer first', 'Bearer second']);
  });
});
