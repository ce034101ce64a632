import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type BrowserSession, startBrowser, type WatchedPage } from '../support/browser.ts';
import { type PageScene, startPageScene } from '../support/page-scene.ts';
import { openKeyed, send, useKey } from '../support/page-visits.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const orders = '/api/packages/acme/orders@1.0.0';
const priceOrder = '#tag/nodes/POST/invocations/v1/nodes/acme/orders/1.0.0/PriceOrder';

suiteNeeds('chromium', 'what pages show', function () {
  this.timeout(180_000);
  let scene: PageScene;
  let browser: BrowserSession;

  before(async () => {
    browser = await startBrowser();
    scene = await startPageScene();
  });
  after(async () => {
    await browser.close();
    await scene.stop();
  });

  const open = async (path: string, options = {}): Promise<WatchedPage> => {
    const watched = await browser.open(scene.url, options);
    await openKeyed(watched.page, scene, path);
    return watched;
  };
  const clean = ({ foreign, problems }: WatchedPage): void => {
    assert.deepEqual({ foreign, problems }, { foreign: [], problems: [] });
  };
  const documentOf = async (path: string): Promise<unknown> =>
    (await fetch(scene.url + path, { headers: { authorization: `Bearer ${scene.key}` } })).json();

  it('the fields of a message with a oneof, in the order of the message', async () => {
    const watched = await open(`${orders}/docs${priceOrder}`);
    const { page } = watched;
    await page.getByText('One of the oneof payment').first().waitFor();
    const names = await page.locator('.request-body .property--level-1 > .property-heading').allInnerTexts();
    const firstWords = names.map((text) => text.trim().split(/\s/)[0]);
    assert.deepEqual(firstWords.slice(0, 7), [
      'lines',
      'region',
      'coupon',
      'card',
      'invoice',
      'giftCard',
      'placedAt',
    ]);
    assert.equal(await page.locator('.composition-selector').count(), 0);
    clean(watched);
  });

  it('each model once, and the document in the bar unchanged', async () => {
    const watched = await open(`${orders}/docs`);
    const { page } = watched;
    await page.getByRole('button', { name: 'Models' }).first().click();
    const models = page.locator('aside a, aside button', { hasText: /^(Order|Region)/ });
    await models.first().waitFor();
    const titles = (await models.allInnerTexts()).map((text) => text.trim());
    assert.ok(titles.length > 3, titles.join());
    assert.deepEqual(titles, [...new Set(titles)]);
    const link = page.getByRole('link', { name: 'OpenAPI', exact: true });
    assert.equal(await link.getAttribute('href'), `${orders}/openapi.json`);
    clean(watched);
  });

  it('the nodes of a package before the reference has loaded', async () => {
    const { page } = await browser.open(scene.url);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/reference.*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${scene.url}${orders}/docs`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'PriceOrder' }).waitFor();
    await page.getByText('Prices the lines of an order').waitFor();
    release();
    await page.locator('#reference h1').first().waitFor();
    assert.equal(await page.locator('#reference > .list').count(), 0);
  });

  it('the name and the diagram of a flow, and its document as a file', async () => {
    const path = `/api/graphs/${scene.graphs.describe}`;
    const watched = await open(`${path}/docs`);
    const { page } = watched;
    const diagram = page.getByRole('img', { name: 'Diagram of the flow Describe text' });
    await diagram.waitFor();
    await page.waitForFunction("document.querySelector('#diagram img').naturalWidth > 200");
    assert.equal(await page.title(), 'Describe text - svc');
    assert.equal(await page.locator('.bar h1').innerText(), 'Describe text');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'OpenAPI', exact: true }).click();
    const file = await (await downloading).path();
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), await documentOf(`${path}/openapi.json`));
    clean(watched);

    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await diagram.waitFor({ state: 'hidden' });
    assert.match(await page.title(), /^Flow /);
    assert.ok(!(await page.locator('body').innerText()).includes('Describe text'));
  });

  it('the flows of a key in the list, and none without it', async () => {
    const watched = await browser.open(scene.url);
    const { page } = watched;
    await page.goto(`${scene.url}/docs`);
    await page.getByText('Enter an API key to list them.').waitFor();
    await useKey(page, scene.key);
    await page.getByRole('link', { name: 'Approve order' }).waitFor();
    clean(watched);
    await page.getByRole('link', { name: 'Describe text' }).click();
    await page.waitForURL(`**/api/graphs/${scene.graphs.describe}/docs`);
    await page.getByRole('img', { name: /Diagram/ }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByText('Enter an API key to list them.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Describe text' }).count(), 0);
    await useKey(page, 'f'.repeat(64));
    await page.getByText('401: The key is unknown').waitFor();
  });

  it('the response of a call on a phone without scrolling', async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await open(`${orders}/docs`, { viewport });
    await send(page, /200 OK/, 'PriceOrder');
    const status = page.getByRole('region', { name: /Response/ }).getByText('200 OK');
    const box = await status.boundingBox();
    assert.ok(box && box.y > 0 && box.y + box.height < viewport.height, JSON.stringify(box));
  });
});
