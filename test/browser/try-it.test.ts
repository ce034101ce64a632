import assert from 'node:assert/strict';
import { readFlowDocument } from '../../service/cli/flow-document.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { type BrowserSession, startBrowser, type WatchedPage } from '../support/browser.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { publishSteps, step } from '../support/step-package.ts';
import { storeSecret } from '../support/stored-secret.ts';
import { send, useKey } from '../support/page-visits.ts';
import { eventually } from '../support/eventually.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const flowFile = new URL('../../fixtures/flows/describe-text.yaml', import.meta.url).pathname;
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

suiteNeeds('chromium', 'try-it pages in a browser', function () {
  this.timeout(180_000);
  let service: RunningService;
  let container: FixtureContainer;
  let browser: BrowserSession;
  let acme: Caller;
  let graphId: string;
  const packagePath = '/api/packages/acme/text@1.0.0/docs';

  before(async () => {
    browser = await startBrowser();
    container = await startFixtureContainer('acme-text');
    service = await startService();
    acme = await service.tenant('acme');
    const text = await readPackageFolder(fixturePackageFolder('acme-text'));
    const body = { ...text, endpoint: container.endpoint };
    for (const changes of [{}, { name: 'acme/hidden', visibility: 'private', endpoint: undefined }]) {
      const published = await acme.post('/api/v1/packages', { ...body, ...changes });
      assert.equal(published.status, 201, JSON.stringify(published.body));
    }
    const compiled = await acme.post('/api/v1/graphs/compile', await readFlowDocument(flowFile));
    assert.equal(compiled.status, 201, JSON.stringify(compiled.body));
    graphId = (compiled.body as { graph_id: string }).graph_id;
  });
  after(async () => {
    await browser.close();
    await service.stop();
    await container.stop();
  });

  const open = async (path: string, options = {}): Promise<WatchedPage> => {
    const watched = await browser.open(service.url, options);
    await watched.page.goto(service.url + path);
    return watched;
  };
  const clean = ({ foreign, problems }: WatchedPage): void => {
    assert.deepEqual({ foreign, problems }, { foreign: [], problems: [] });
  };

  it('call a node with a typed key and show the response, without requests to other origins', async () => {
    const watched = await open(packagePath);
    const { page } = watched;
    await useKey(page, acme.key);
    const called = page.waitForRequest((request) => request.method() === 'POST');
    await send(page, /200 OK[^]*"kind":\s*"TOKEN_KIND_WORD"/, 'Tokenize');
    const request = await called;
    assert.equal(request.url(), `${service.url}/invocations/v1/nodes/acme/text/1.0.0/Tokenize`);
    assert.equal(request.headers().authorization, `Bearer ${acme.key}`);
    clean(watched);
  });

  it('show programs in the languages of the SDKs', async () => {
    const watched = await open(packagePath);
    const { page } = watched;
    await page.getByRole('heading', { name: 'Tokenize' }).first().scrollIntoViewIfNeeded();
    const program = page.locator('.request-card').first();
    const document = await acme.get('/api/packages/acme/text@1.0.0/openapi.json');
    const paths = Object.values((document.body as Documented).paths);
    const [first] = paths[0]!.post['x-codeSamples'];
    await program.getByText(first!.label).first().waitFor();
    const shown = (await program.innerText()).replaceAll(/\s|^\d+$/gm, '');
    const [line = ''] = first!.source.split('\n').filter((each) => each.length > 8);
    assert.ok(shown.includes(line.replaceAll(/\s/g, '')), shown.slice(0, 300));
    clean(watched);
  });

  it('find operations by search', async () => {
    const watched = await open(packagePath);
    const { page } = watched;
    await page.getByRole('search').first().click();
    await page.keyboard.type('keywords');
    await page
      .getByRole('option', { name: /ExtractKeywords/ })
      .first()
      .waitFor();
    clean(watched);
  });

  it('show a flow to a key of its owner and run it', async () => {
    const watched = await open(`/api/graphs/${graphId}/docs`);
    const { page } = watched;
    await page.getByText('Enter a full key of the owner of the flow').waitFor();
    assert.ok(!(await page.content()).includes('Describe text'));
    await useKey(page, acme.key);
    await page.getByRole('heading', { name: 'Describe text', exact: true }).first().waitFor();
    await send(page, /20[02] [^]*"execution_id"/);
    clean(watched);
  });

  it('show which secrets another tenant receives', async () => {
    const ports = { input: 'acme.steps.v1.Step', output: 'acme.steps.v1.Step' };
    const nodes = [{ name: 'Sealed', ...ports, required_secrets: ['API_TOKEN'] }];
    await publishSteps(await service.tenant('globex'), { name: 'globex/steps', nodes });
    await storeSecret(service, acme, 'API_TOKEN');
    const compiled = await acme.post('/api/v1/graphs/compile', {
      name: 'Sealed',
      entry: 'sealed',
      terminal: 'sealed',
      nodes: [step('sealed', { package: 'globex/steps', node_name: 'Sealed' })],
    });
    const flow = await open(`/api/graphs/${(compiled.body as { graph_id: string }).graph_id}/docs`);
    await useKey(flow.page, acme.key);
    await flow.page
      .getByText('node sealed of globex/steps: API_TOKEN to the tenant globex')
      .first()
      .waitFor();
    const published = await open('/api/packages/globex/steps@1.0.0/docs');
    await published.page
      .getByText('sends these secrets of the caller to a container of the tenant globex: API_TOKEN')
      .first()
      .waitFor();
    clean(flow);
    clean(published);
  });

  it('show a private package to a key of its owner', async () => {
    const watched = await open('/api/packages/acme/hidden@1.0.0/docs');
    await useKey(watched.page, acme.key);
    await watched.page.locator('#reference').getByRole('heading', { name: 'acme/hidden' }).first().waitFor();
    assert.deepEqual(watched.foreign, []);
  });

  it('explain a wrong key and accept another', async () => {
    const { page, foreign } = await open(`/api/graphs/${graphId}/docs`);
    await useKey(page, 'f'.repeat(64));
    await page.getByText('401: The key is unknown').waitFor();
    const foreigner = await service.tenant('foreigner');
    await useKey(page, foreigner.key);
    await page.getByText('404: The document does not exist').waitFor();
    await useKey(page, acme.key);
    await page.getByRole('heading', { name: 'Describe text', exact: true }).first().waitFor();
    assert.deepEqual(foreign, []);
  });

  it('keep the key panel open if it was opened before the document loaded', async () => {
    const watched = await browser.open(service.url);
    const { page } = watched;
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/openapi.json', async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(service.url + packagePath);
    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByLabel('API key', { exact: true }).fill(acme.key);
    arrive();
    await page.locator('#reference h1').first().waitFor();
    assert.ok(await page.locator('#key-panel').isVisible());
    await useKey(page, acme.key);
    await page.locator('#key-panel').waitFor({ state: 'hidden' });
    clean(watched);
    await page.context().close();
  });

  it('show the error response of a call with a wrong key', async () => {
    const { page } = await open(packagePath);
    await useKey(page, 'f'.repeat(64));
    await send(page, /401 Unauthorized/, 'Tokenize');
  });

  it('call the origin of the page, whatever the public URL of the service', async () => {
    const elsewhere = await startService({ SVC_PUBLIC_URL: 'https://svc.example' });
    try {
      const tenant = await elsewhere.tenant('acme');
      const text = await readPackageFolder(fixturePackageFolder('acme-text'));
      await tenant.post('/api/v1/packages', { ...text, endpoint: container.endpoint });
      const watched = await browser.open(elsewhere.url);
      await watched.page.goto(elsewhere.url + packagePath);
      await useKey(watched.page, tenant.key);
      await send(watched.page, /200 OK/, 'Tokenize');
      clean(watched);
      await watched.page.context().close();
    } finally {
      await elsewhere.stop();
    }
  });

  it('keep a key in the tab, and in the browser only on request', async () => {
    const { page } = await open(`/api/graphs/${graphId}/docs`);
    const shown = (): Promise<void> =>
      page.getByRole('heading', { name: 'Describe text', exact: true }).first().waitFor();
    const stored = (): Promise<string[]> => page.evaluate<string[]>('Object.values(localStorage)');
    await useKey(page, acme.key);
    await shown();
    assert.ok(!(await stored()).includes(acme.key));
    await page.reload();
    await shown();
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByText('Enter a full key of the owner of the flow').waitFor();
    await tab.close();

    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByLabel('Keep it in this browser').check();
    await useKey(page, acme.key);
    await shown();
    assert.ok((await stored()).includes(acme.key));
    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByText('Enter a full key of the owner of the flow').waitFor();
    assert.ok(!(await stored()).includes(acme.key));
    assert.ok(!(await page.content()).includes('Describes an English text'));
  });

  it('fit a desktop and a phone, light and dark', async () => {
    for (const path of ['/docs', '/docs/api', packagePath, `/api/graphs/${graphId}/docs`]) {
      const watched = await open(path);
      const { page } = watched;
      if (path.includes('graphs')) await useKey(page, acme.key);
      if (path !== '/docs') await page.locator('#reference h1').first().waitFor();
      for (const viewport of [desktop, phone]) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          const place = `${path} ${viewport.width} ${colorScheme}`;
          // Colours and widths change in steps, which a busy machine draws late.
          const shown = `({
            isLight: Number(getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]) > 127,
            width: document.documentElement.scrollWidth,
          })`;
          await eventually(async () => {
            const { isLight, width } = await page.evaluate<{ isLight: boolean; width: number }>(shown);
            return (isLight === (colorScheme === 'light') && width <= viewport.width) || undefined;
          }).catch(() => assert.fail(`${place}: in other colours, or wider than the window`));
        }
      }
      clean(watched);
    }
  });

  it('have a heading and one main element, before and after the content loads', async () => {
    const { page } = await open(`/api/graphs/${graphId}/docs`);
    const mains = (): Promise<number> => page.getByRole('main').count();
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    assert.equal(await mains(), 1);
    await useKey(page, acme.key);
    await page.locator('#reference h1').first().waitFor();
    assert.equal(await mains(), 1);
    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByText('Enter a full key of the owner of the flow').waitFor();
    assert.equal(await mains(), 1);
  });

  it('have a contrast of at least 4.5 to 1, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open(packagePath, { colorScheme });
      await page.locator('#reference h1').first().waitFor();
      const ratios = await page.evaluate<Record<string, number>>(`(() => {
        const style = getComputedStyle(document.querySelector('.scalar-app'));
        const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const luminance = (name) => {
          context.fillStyle = style.getPropertyValue(name);
          context.fillRect(0, 0, 1, 1);
          const linear = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
            .map((part) => part / 255)
            .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        };
        const texts = ['1', '2', '3', 'green', 'blue', 'orange'].map((name) => '--scalar-color-' + name);
        const grounds = ['--scalar-background-1', '--scalar-background-2'];
        return Object.fromEntries(texts.flatMap((text) => grounds.map((ground) => {
          const [dark, light] = [luminance(text), luminance(ground)].sort((a, b) => a - b);
          return [text + ' on ' + ground, (light + 0.05) / (dark + 0.05)];
        })));
      })()`);
      const pale = Object.entries(ratios).filter(([, ratio]) => ratio < 4.5);
      assert.deepEqual([Object.keys(ratios).length, pale], [12, []], colorScheme);
    }
  });

  it('are accessible by name and by keyboard: language, titles, labels', async () => {
    for (const path of ['/docs', '/docs/api', packagePath, `/api/graphs/${graphId}/docs`]) {
      const { page } = await open(path);
      const nameless = await page.evaluate(`
        [...document.querySelectorAll('.bar a, .bar button, form input, form button, .list a')]
          .filter((own) => !own.textContent.trim() && !own.ariaLabel && !own.labels?.length)
          .map((own) => own.outerHTML)`);
      assert.deepEqual(nameless, [], path);
      assert.equal(await page.locator('html').getAttribute('lang'), 'en');
      assert.match(await page.title(), / - svc$/);
    }
    const { page } = await open(packagePath);
    await page.getByRole('button', { name: 'API key' }).press('Enter');
    await page.keyboard.type(acme.key);
    await page.keyboard.press('Enter');
    await page.locator('#key-panel').waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate('document.activeElement.id'), 'key-toggle');
  });
});

interface Documented {
  paths: Record<string, { post: { 'x-codeSamples': { label: string; source: string }[] } }>;
}

/** Sends the example of an operation, the first when none is named, and waits until the page shows an answer like `expected`. */
