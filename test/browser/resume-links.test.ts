import assert from 'node:assert/strict';
import { approval, askHuman, pausedRun } from '../support/asking-flow.ts';
import { type BrowserSession, startBrowser } from '../support/browser.ts';
import { endOf } from '../support/execution-records.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const phone = { width: 390, height: 844 };

suiteNeeds('chromium', 'the page of a pause in a browser without JavaScript', function () {
  this.timeout(180_000);
  let flows: FlowService;
  let browser: BrowserSession;
  let graph: string;
  before(async () => {
    browser = await startBrowser();
    flows = await startFlowService();
    graph = await flows.compile(approval);
  });
  after(async () => {
    await browser.close();
    await flows.stop();
  });

  it('shows the question and sends the decision with a form', async () => {
    const question = '{"question":"<b>go?</b><script>alert(1)</script>"}';
    askHuman(flows, question);
    const { acme, service } = flows;
    const { executionId } = await pausedRun(acme, graph);
    const pauses = `/invocations/v1/executions/${executionId}/pauses`;
    const pauseOf = async () =>
      ((await acme.get(pauses)).body as { pauses: Record<string, string>[] }).pauses[0];
    const watched = await browser.open(service.url, { javaScriptEnabled: false, viewport: phone });
    const { page } = watched;
    await page.goto((await pauseOf())?.resume_url ?? '');
    const shown = (await page.locator('pre').textContent()) ?? '';
    assert.equal(JSON.stringify(JSON.parse(shown)), question);
    const button = page.getByRole('button', { name: 'Send decision' });
    const radius = "getComputedStyle(document.querySelector('form button')).borderRadius";
    assert.equal(await page.evaluate<string>(radius), '6px', 'the style sheet is loaded');
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await page.evaluate<number>(beyond), 0, 'the page fits a phone');
    const decision = page.getByLabel('Decision, as a JSON object');
    const skeleton = JSON.parse(await decision.inputValue()) as Record<string, unknown>;
    assert.deepEqual([skeleton.text, skeleton.part], ['', null]);
    assert.equal(await page.getByText('name (text)').first().isVisible(), true);
    await decision.fill(JSON.stringify({ ...skeleton, text: 'go' }));
    await page.getByLabel('Your name').fill('ann@example.com');
    await button.click();
    await page.getByText('Your decision is recorded.').waitFor();
    await page.reload();
    await page.getByText('Your decision is recorded.').waitFor();
    await page.goBack();
    await page.getByText('This question has been decided by ann@example.com.').waitFor();
    assert.equal((await endOf(acme, executionId)).status, 'COMPLETED');
    const decided = await pauseOf();
    assert.deepEqual(
      [decided?.resume_value, decided?.resumed_by],
      [{ ...skeleton, text: 'go' }, 'ann@example.com'],
    );
    assert.deepEqual([watched.foreign, watched.problems], [[], []]);
  });
});
