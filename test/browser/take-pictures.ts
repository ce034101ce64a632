/** Takes a picture of each page, on a phone and a desktop, light and dark: `node test/browser/take-pictures.ts [name ...]`. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { type PageScene, startPageScene } from '../support/page-scene.ts';
import { openKeyed, send } from '../support/page-visits.ts';

const folder = path.resolve(import.meta.dirname, '../../.cache/pictures');
const orders = '/api/packages/acme/orders@1.0.0/docs';

/** How to get to each picture. */
const visits: Record<string, (page: Page, scene: PageScene) => Promise<unknown>> = {
  list: (page, { url }) => page.goto(`${url}/docs`),
  'list-search': (page, { url }) => page.goto(`${url}/docs?q=nothing`),
  'list-with-key': async (page, scene) => {
    await openKeyed(page, scene, '/docs');
  },
  package: (page, scene) => openKeyed(page, scene, orders),
  node: async (page, scene) => {
    await openKeyed(
      page,
      scene,
      `${orders}#tag/nodes/POST/invocations/v1/nodes/acme/orders/1.0.0/PriceOrder`,
    );
    await page.waitForTimeout(2_000);
  },
  'try-before': async (page, scene) => {
    await openKeyed(page, scene, orders);
    await page
      .getByRole('button', { name: /Test Request.*PriceOrder/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Send/ }).first().waitFor();
  },
  'try-after': async (page, scene) => {
    await openKeyed(page, scene, orders);
    await send(page, /200 OK/, 'PriceOrder');
  },
  'key-panel': async (page, { url }) => {
    await page.goto(url + orders);
    await page.locator('#reference h1').first().waitFor();
    await page.getByRole('button', { name: 'API key' }).click();
  },
  'flow-asks-key': (page, { url, graphs }) => page.goto(`${url}/api/graphs/${graphs.describe}/docs`),
  flow: (page, scene) => openKeyed(page, scene, `/api/graphs/${scene.graphs.describe}/docs`),
  'flow-pause': async (page, scene) => {
    await openKeyed(page, scene, `/api/graphs/${scene.graphs.approval}/docs`);
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Send/ }).first().click();
    await page.waitForTimeout(1_500);
  },
  api: async (page, { url }) => {
    await page.goto(`${url}/docs/api`);
    await page.locator('#reference h1').first().waitFor();
  },
  decision: async (page, scene) => page.goto(await scene.pausePage()),
  'decision-refused': async (page, scene) => {
    await page.goto(await scene.pausePage());
    await page.getByLabel('Decision, as a JSON object').fill('{"unknown": 1}');
    await page.getByRole('button', { name: 'Send decision' }).click();
    await page.getByRole('alert').waitFor();
  },
  'decision-sent': async (page, scene) => {
    await page.goto(await scene.pausePage());
    await page.getByLabel('Decision, as a JSON object').fill('{"text": "go"}');
    await page.getByRole('button', { name: 'Send decision' }).click();
    await page.getByText('Your decision is recorded').waitFor();
  },
  'decision-unknown': (page, { url }) => page.goto(`${url}/invocations/v1/hooks/resume/unknown`),
  'package-unknown': (page, { url }) => page.goto(`${url}/api/packages/acme/unknown@1.0.0/docs`),
  'wrong-key': async (page, { url, graphs }) => {
    await page.goto(`${url}/api/graphs/${graphs.describe}/docs`);
    await page.getByLabel('API key', { exact: true }).fill('f'.repeat(64));
    await page.getByRole('button', { name: 'Use key' }).click();
    await page.getByText('401').waitFor();
  },
};

const wanted = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const scene = await startPageScene();
const browser = await startBrowser();
try {
  for (const [name, visit] of Object.entries(visits)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      const { page } = await browser.open(scene.url, { viewport });
      await visit(page, scene);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(500);
        const file = path.join(folder, `${name}-${viewport.width}-${colorScheme}.png`);
        await page.screenshot({ path: file });
        process.stdout.write(`${file}\n`);
      }
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await scene.stop();
}
