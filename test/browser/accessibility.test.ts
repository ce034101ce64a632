import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { type BrowserSession, startBrowser } from '../support/browser.ts';
import { type PageScene, startPageScene } from '../support/page-scene.ts';
import { openKeyed } from '../support/page-visits.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const orders = '/api/packages/acme/orders@1.0.0/docs';
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

interface Violation {
  id: string;
  nodes: { target: string[] }[];
}

suiteNeeds('chromium', 'accessibility of pages, on a phone and a desktop, light and dark', function () {
  this.timeout(300_000);
  let scene: PageScene;
  let browser: BrowserSession;
  let axe: string;

  before(async () => {
    axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
    browser = await startBrowser();
    scene = await startPageScene();
  });
  after(async () => {
    await browser.close();
    await scene.stop();
  });

  /** Opens a page whose policy lets the checks run. */
  const visit = async (open: (page: Page) => Promise<unknown>): Promise<Page> => {
    const { page } = await browser.open(scene.url, { bypassCSP: true });
    await open(page);
    await page.evaluate(axe);
    return page;
  };

  /** Checks that a page, or what `selectors` select of it, breaks no rule of axe and fits, in each size and colour scheme. */
  const check = async (page: Page, selectors = ['html']): Promise<void> => {
    for (const viewport of sizes) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const place = `${page.url()} ${viewport.width} ${colorScheme}`;
        const context = JSON.stringify({ include: selectors.map((selector) => [selector]) });
        const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(${context})`);
        const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))]);
        assert.deepEqual(found, [], place);
        const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        assert.ok(beyond <= 0, `${place}: ${beyond} too wide`);
      }
    }
    await page.context().close();
  };

  it('has no violations in the list of packages and flows', async () => {
    await check(await visit((page) => page.goto(`${scene.url}/docs`)));
    const page = await visit((opened) => openKeyed(opened, scene, '/docs'));
    await page.getByRole('link', { name: 'Describe text' }).waitFor();
    await check(page);
  });

  it('has no violations on the pages of a pause', async () => {
    const page = await visit(async (opened) => opened.goto(await scene.pausePage()));
    await page.getByLabel('Decision, as a JSON object').fill('{"unknown": 1}');
    await page.getByRole('button', { name: 'Send decision' }).click();
    await page.getByRole('alert').waitFor();
    await page.evaluate(axe);
    await check(page);
    await check(await visit(async (opened) => opened.goto(await scene.pausePage())));
  });

  it('has no violations on pages that ask for a key', async () => {
    for (const path of [
      '/api/packages/acme/unknown@1.0.0/docs',
      `/api/graphs/${scene.graphs.describe}/docs`,
    ]) {
      const page = await visit((opened) => opened.goto(scene.url + path));
      await page.getByLabel('API key', { exact: true }).waitFor();
      await check(page);
    }
  });

  it('has no violations in an outline', async () => {
    const page = await visit(async (opened) => {
      await opened.route('**/reference.*.js', () => undefined);
      await opened.goto(scene.url + orders, { waitUntil: 'commit' });
      await opened.getByRole('heading', { name: 'PriceOrder' }).waitFor();
    });
    await check(page);
  });

  it('has no violations around the reference, which is excluded', async () => {
    const flow = await visit((page) => openKeyed(page, scene, `/api/graphs/${scene.graphs.describe}/docs`));
    await flow.getByRole('img', { name: /Diagram/ }).waitFor();
    await flow.getByRole('button', { name: 'API key' }).click();
    await check(flow, ['.bar', '#key-panel', '#diagram']);
  });

  it('gives keyboard access to everything in page order', async () => {
    const { page } = await browser.open(scene.url);
    await page.goto(`${scene.url}/docs`);
    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByRole('link', { name: 'svc' }).focus();
    const reached: string[] = [];
    for (let presses = 0; presses < 10; presses += 1) {
      reached.push(
        await page.evaluate<string>(
          'document.activeElement.labels?.[0]?.textContent.trim() || document.activeElement.textContent.trim()',
        ),
      );
      await page.keyboard.press('Tab');
    }
    assert.match(reached[6] ?? '', /^Keep it in this browser/);
    reached.splice(6, 1);
    assert.deepEqual(reached, [
      'svc',
      'API',
      'API key',
      'API key',
      'Use key',
      'Forget',
      'Search by name or description',
      'Search',
      'acme/orders',
    ]);
  });
});
