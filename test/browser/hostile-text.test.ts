import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type BrowserSession, startBrowser } from '../support/browser.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { publishSteps, stepPackage, twoSteps } from '../support/step-package.ts';
import { suiteNeeds } from '../support/toolchains.ts';

/** Each would leave a mark, or the origin, if it were more than text. */
const hostile = [
  '<script>window.ran = 1</script>',
  '</script><script>window.ran = 2</script>',
  '</div></main></body><script>window.ran = 3</script>',
  '<img src=x onerror="window.ran = 4">',
  '<svg onload="window.ran = 5"><animate onbegin="window.ran = 6" attributeName=x dur=1s></svg>',
  '<iframe srcdoc="<script>parent.ran = 7</script>"></iframe>',
  '<details open ontoggle="window.ran = 8"><summary>x</summary></details>',
  '<a href="javascript:window.ran=9">html link</a>',
  '[markdown link](javascript:window.ran=10)',
  '[spaced link](java\tscript:window.ran=11)',
  '[encoded link](&#106;avascript:window.ran=12)',
  '[data link](data:text/html,<script>opener.ran=13</script>)',
  '![image](https://evil.example/image.png)',
  '<img src="https://evil.example/img.png">',
  '<style>@import url(https://evil.example/style.css); body { background: url(https://evil.example/b.png) }</style>',
  '<link rel="stylesheet" href="https://evil.example/link.css"><base href="https://evil.example/">',
  '<form action="https://evil.example/"><button id="own">x</button></form>',
  '<meta http-equiv="refresh" content="0; url=https://evil.example/">',
  '`` `<script>window.ran = 14</script>',
  '{{constructor.constructor("window.ran = 15")()}}',
  '${window.ran = 16}',
];

suiteNeeds('chromium', 'hostile text on pages', function () {
  this.timeout(180_000);
  let service: RunningService;
  let acme: Caller;
  let browser: BrowserSession;
  let flowPath: string;
  const packagePath = '/api/packages/acme/steps@1.0.0/docs';

  before(async () => {
    browser = await startBrowser();
    service = await startService();
    acme = await service.tenant('acme');
    const text = hostile.join('\n\n');
    const [path = '', source = ''] = Object.entries(stepPackage().protos as Record<string, string>)[0] ?? [];
    const comment = hostile.map((line) => `// ${line.replaceAll('\t', ' ')}\n//\n`).join('');
    await publishSteps(acme, {
      visibility: 'public',
      description: text,
      protos: {
        [path]: source
          .replace('message Step', `${comment}message Step`)
          .replace('  string text = 1;', `${comment}  string text = 1;`),
      },
      nodes: (stepPackage().nodes as object[]).map((node) => ({ ...node, description: text })),
    });
    const flow = await acme.post(
      '/api/v1/graphs/compile',
      twoSteps({ name: '<img src=x onerror="window.ran = 17">', description: text }),
    );
    assert.equal(flow.status, 201, JSON.stringify(flow.body));
    flowPath = `/api/graphs/${(flow.body as { graph_id: string }).graph_id}/docs`;
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  // Without the policy, only the escapes protect the page.
  for (const bypassCSP of [false, true]) {
    it(`runs no script and does not navigate, ${bypassCSP ? 'even without' : 'with'} the content security policy`, async () => {
      for (const path of ['/docs', packagePath, flowPath]) {
        const { page, foreign, problems } = await browser.open(service.url, { bypassCSP });
        await page.goto(service.url + path);
        if (path === flowPath) await enter(page, acme.key);
        if (path !== '/docs') {
          await page.getByText('The code samples use the SDK').first().waitFor();
          await page.waitForTimeout(500);
        }
        assert.ok((await page.content()).includes('html link'), `${path} shows none of it`);
        const links = page.locator('a', { hasText: /(html|markdown|spaced|encoded|data) link/ });
        for (const link of await links.all()) {
          const href = (await link.getAttribute('href')) ?? '';
          assert.doesNotMatch(href, /^\s*(java\s*script|data|vbscript):/i, `${path}: ${href}`);
        }
        assert.equal(await page.evaluate('window.ran'), undefined, path);
        assert.equal(new URL(page.url()).origin, service.url, path);
        assert.equal(await page.locator('base, meta[http-equiv], #own, iframe').count(), 0, path);
        if (!bypassCSP) assert.deepEqual(foreign, [], path);
        assert.deepEqual(
          problems.filter((each) => each.startsWith('dialog')),
          [],
        );
        await page.context().close();
      }
    });
  }
});

async function enter(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Use key' }).click();
}
