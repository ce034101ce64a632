import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readFlowDocument } from '../../service/cli/flow-document.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { type BrowserSession, startBrowser, type WatchedPage } from '../support/browser.ts';
import {
  type FixtureContainer,
  type FixturePackage,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { until } from '../support/until.ts';

const flowFile = new URL('../../fixtures/flows/approve-order.yaml', import.meta.url).pathname;

suiteNeeds('chromium', 'try-it pages of streams and of runs that pause', function () {
  this.timeout(180_000);
  let service: RunningService;
  let browser: BrowserSession;
  let acme: Caller;
  const containers: FixtureContainer[] = [];

  before(async () => {
    browser = await startBrowser();
    service = await startService();
    acme = await service.tenant('acme');
  });
  after(async () => {
    await browser.close();
    await service.stop();
    await Promise.all(containers.map((container) => container.stop()));
  });

  /** Publishes a fixture package, with a sample of its own for a node. */
  async function publish(name: FixturePackage, node: string, sample: object): Promise<void> {
    const container = await startFixtureContainer(name);
    containers.push(container);
    const body = await readPackageFolder(fixturePackageFolder(name));
    const nodes = body.nodes.map((each) => (each.name === node ? { ...each, sample } : each));
    const published = await acme.post('/api/v1/packages', { ...body, nodes, endpoint: container.endpoint });
    assert.equal(published.status, 201, JSON.stringify(published.body));
  }

  async function open(path: string, options = {}): Promise<WatchedPage> {
    const watched = await browser.open(service.url, options);
    const { page } = watched;
    await page.goto(service.url + path);
    if (await page.locator('#key-panel').isHidden())
      await page.getByRole('button', { name: 'API key' }).click();
    await page.getByLabel('API key', { exact: true }).fill(acme.key);
    await page.getByRole('button', { name: 'Use key' }).click();
    await page.locator('#reference h1').first().waitFor();
    return watched;
  }

  async function send(page: Page, operation: RegExp): Promise<void> {
    await page.getByRole('button', { name: operation }).first().click();
    await page.getByRole('button', { name: /^Send/ }).first().click();
  }

  it('show the frames of a stream as they arrive', async () => {
    const corpus = 'the quick brown fox jumps over the lazy dog';
    // The words after the first one take as long as the test, which ends the stream.
    await publish('acme-streams', 'ContinueText', { text: 'the', corpus, max_tokens: 50, delay_ms: 1_000 });
    const watched = await open('/api/packages/acme/streams@1.0.0/docs');
    const { page } = watched;
    // The reference draws operations when they are near.
    await page.locator('aside').getByText('ContinueText').first().click();
    await send(page, /Test Request.*ContinueText/);
    const answer = page.getByRole('region', { name: /Response/ }).first();
    await answer.getByText(/"payload":\s*{"text":"quick"}/).waitFor();
    await answer.getByText(/"text":"brown"/).waitFor();
    assert.ok(!(await answer.innerText()).includes('"is_final":true'));
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    assert.deepEqual([watched.foreign, watched.problems], [[], []]);
  });

  it('show the question of a run and send the decision', async () => {
    await publish('acme-orders', 'PriceOrder', {
      lines: [{ sku: 'BOOK-1', quantity: 1_000 }],
      region: 'REGION_GERMANY',
    });
    const flow = (await readFlowDocument(flowFile)) as object;
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      // A flow of its own: an identical request would be answered with the run of the first one.
      const own = { ...flow, name: `Approve at ${viewport.width}` };
      const compiled = await acme.post('/api/v1/graphs/compile', own);
      const { graph_id: graphId } = compiled.body as { graph_id: string };
      const watched = await open(`/api/graphs/${graphId}/docs`, { viewport });
      const { page } = watched;
      await send(page, /Test Request/);
      const dialog = page.getByRole('dialog', { name: /asks for a decision/ });
      await dialog.getByText('Approve order BOOK-1').waitFor();
      const box = await dialog.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= viewport.width, JSON.stringify(box));
      const decision = dialog.getByLabel(/^Decision, as a JSON object with the fields of acme.orders/);
      // As on the page of the pause, whose tests say what a draft contains.
      const { orderId, decision: decided } = JSON.parse(await decision.inputValue()) as Record<
        string,
        unknown
      >;
      assert.deepEqual([orderId, decided], ['BOOK-1', null]);
      await dialog.getByText('decision (Decision)').getByText('approved (true or false)').waitFor();
      await decision.fill('"yes"');
      await dialog.getByRole('button', { name: 'Send decision' }).click();
      await dialog.getByText('The decision must be a JSON object').waitFor();
      await decision.fill('{');
      await dialog.getByRole('button', { name: 'Send decision' }).click();
      await dialog.getByText('The decision is not JSON').waitFor();
      await decision.fill('{"unknown": 1}');
      await dialog.getByRole('button', { name: 'Send decision' }).click();
      await dialog
        .getByText(/unknown/)
        .last()
        .waitFor();
      // As a double, the limit would be another one.
      const approved =
        '{"orderId": "BOOK-1", "totalCents": "1", "limitCents": 9007199254740993, "decision": {"approved": true}}';
      await decision.fill(approved);
      await dialog.getByLabel('Your name').fill('ann@example.com');
      const isBeaten = viewport.width < 500;
      if (isBeaten) {
        const { pauses } = (await acme.get('/invocations/v1/pauses?status=WAITING')).body as {
          pauses: { pause_id: string; execution_id: string }[];
        };
        const [{ pause_id, execution_id: id } = assert.fail('no run waits')] = pauses;
        const first = { pause_id, value: JSON.parse(approved) as object, resumed_by: 'ann@example.com' };
        assert.equal((await acme.post(`/invocations/v1/flows/${id}/resume`, first)).status, 200);
      }
      const sent = page.waitForRequest(/\/resume$/);
      await dialog.getByRole('button', { name: 'Send decision' }).click();
      assert.ok((await sent).postData()?.includes('"limitCents": 9007199254740993'));
      const beaten = page.getByText(/^Another decision came first, so yours does not count\. Execution/);
      if (isBeaten) await beaten.waitFor();
      const ended = page.getByRole('dialog', { name: 'The run has ended: COMPLETED' });
      await ended.getByText(/"approvedBy": "ann@example.com"/).waitFor();
      await ended.getByRole('button', { name: 'Close' }).click();
      assert.equal(await page.getByRole('dialog', { name: /The run/ }).count(), 0);
      assert.deepEqual(watched.foreign, []);
      await page.context().close();
    }
  });

  it('keep the question of a run when an earlier run ends', async () => {
    const flow = (await readFlowDocument(flowFile)) as object;
    const compiled = await acme.post('/api/v1/graphs/compile', { ...flow, name: 'Approve twice' });
    const { page } = await open(`/api/graphs/${(compiled.body as { graph_id: string }).graph_id}/docs`);
    // Without the page of the pause, the decision is written from nothing.
    await page.route(/\/hooks\/resume\//, (route) => route.abort());
    const held = Promise.withResolvers<undefined>();
    await page.route(
      /\/executions\/\w+$/,
      async (route) => {
        await held.promise;
        await route.continue();
      },
      { times: 1 },
    );
    const dialog = page.locator('#pause');
    const answer = async () => {
      assert.equal(await dialog.getByLabel(/^Decision/).inputValue(), '');
      await dialog.getByLabel(/^Decision/).fill('{"orderId": "BOOK-1", "decision": {"approved": true}}');
      await dialog.getByRole('button', { name: 'Send decision' }).click();
    };
    const invoked = page.waitForRequest(/flows\/invoke$/);
    await send(page, /Test Request/);
    await answer();
    await dialog.getByText(/The run continues/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    // The same request again, with a key that makes it another one.
    const again = { body: (await invoked).postData(), key: acme.key, url: (await invoked).url() };
    await page.evaluate(async ({ body, key, url }) => {
      const headers = {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'again',
      };
      const { svcPauses } = globalThis as unknown as {
        svcPauses: { watching: (fetcher: typeof fetch) => typeof fetch };
      };
      await svcPauses.watching(fetch)(url, { method: 'POST', headers, body });
    }, again);
    await dialog.getByText('Approve order BOOK-1').waitFor();
    const read = page.waitForResponse(/\/executions\/\w+$/);
    held.resolve(undefined);
    await (await read).finished();
    await answer();
    await page.getByRole('dialog', { name: 'The run has ended: COMPLETED' }).waitFor();
    await page.context().close();
  });

  it('stop polling a run once Escape has closed its question', async () => {
    const flow = (await readFlowDocument(flowFile)) as object;
    const compiled = await acme.post('/api/v1/graphs/compile', { ...flow, name: 'Approve and leave' });
    const { page } = await open(`/api/graphs/${(compiled.body as { graph_id: string }).graph_id}/docs`);
    let reads = 0;
    // The run seems to continue for as long as the page asks.
    await page.route(/\/executions\/\w+$/, (route) => {
      reads += 1;
      return route.fulfill({ json: { status: 'RUNNING' } });
    });
    await send(page, /Test Request/);
    const dialog = page.locator('#pause');
    await dialog.getByLabel(/^Decision/).fill('{"orderId": "BOOK-1", "decision": {"approved": true}}');
    await dialog.getByRole('button', { name: 'Send decision' }).click();
    await until(() => reads >= 2);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const before = reads;
    await page.waitForTimeout(1_500);
    assert.ok(reads <= before + 1, `${reads - before} more`);
    await page.context().close();
  });

  it('show why a run failed after the decision, and the outcome of a question that someone else answered', async () => {
    const flow = (await readFlowDocument(flowFile)) as object;
    const start = async (name: string) => {
      const compiled = await acme.post('/api/v1/graphs/compile', { ...flow, name });
      const { graph_id: graphId } = compiled.body as { graph_id: string };
      return open(`/api/graphs/${graphId}/docs`);
    };
    const decideFirst = async () => {
      const { pauses } = (await acme.get('/invocations/v1/pauses?status=WAITING')).body as {
        pauses: { pause_id: string; execution_id: string }[];
      };
      const [{ pause_id, execution_id: id } = assert.fail('no run waits')] = pauses;
      const value = { orderId: 'BOOK-1', decision: { approved: true } };
      const sent = { pause_id, value, resumed_by: 'bob' };
      assert.equal((await acme.post(`/invocations/v1/flows/${id}/resume`, sent)).status, 200);
    };

    const late = (await start('Approve late')).page;
    await late.route(
      /\/pauses$/,
      async (route) => {
        await decideFirst();
        await route.continue();
      },
      { times: 1 },
    );
    await send(late, /Test Request/);
    const decided = late.getByRole('dialog', { name: 'The run has ended: COMPLETED' });
    await decided.getByText(/"approvedBy": "bob"/).waitFor();
    await late.context().close();

    const failing = (await start('Approve in vain')).page;
    await send(failing, /Test Request/);
    const dialog = failing.getByRole('dialog', { name: /asks for a decision/ });
    await dialog.getByText('Approve order BOOK-1').waitFor();
    const deployment = '/api/v1/packages/acme/orders/1.0.0/deployment';
    assert.equal((await acme.delete(deployment)).status, 204);
    await dialog.getByLabel(/^Decision/).fill('{"orderId": "BOOK-1", "decision": {"approved": true}}');
    await dialog.getByRole('button', { name: 'Send decision' }).click();
    const ended = failing.getByRole('dialog', { name: 'The run has ended: FAILED' });
    await ended.getByText(/^node not found or not yet deployed: "approve"/).waitFor();
    await failing.context().close();
  });
});
