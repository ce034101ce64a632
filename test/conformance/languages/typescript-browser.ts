import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../../support/browser.ts';
import { servePages } from '../../support/page-server.ts';
import type { ConformanceLanguage } from '../conformance-language.ts';
import type { Driver, DriverRequest, DriverResponse } from '../driver-protocol.ts';

const drivers = path.join(import.meta.dirname, '../drivers');

/** Runs in Chromium, upon the archive's sources without their types; what is built of them is held by the generator's suites. */
export const conformanceLanguage: ConformanceLanguage = {
  id: 'typescript-browser',
  toolchain: 'chromium',
  async build(archive) {
    await copyFile(path.join(drivers, 'typescript/respond.js'), path.join(archive, 'respond.js'));
    await copyFile(path.join(drivers, 'typescript-browser/driver.js'), path.join(archive, 'driver.js'));
    const pages = await servePages(archive, '<script type="module" src="driver.js"></script>');
    const browser = await startBrowser();
    return {
      start: async () => pageDriver(await browser.profile(), pages.origin),
      async dispose() {
        await browser.close();
        await pages.stop();
      },
    };
  },
};

/** A driver that is a page; it moves to the service's own origin when that lets no other origin call. */
async function pageDriver(context: BrowserContext, origin: string): Promise<Driver> {
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  return {
    async run(request) {
      const { baseUrl } = request.client;
      if (baseUrl !== undefined && !(await lets(baseUrl, new URL(page.url()).origin)))
        await moveTo(page, origin, new URL(baseUrl).origin);
      return respond(page, request);
    },
    stop: () => context.close(),
  };
}

/** Whether pages of an origin may call; who is not there lets everybody. */
async function lets(baseUrl: string, origin: string): Promise<boolean> {
  if (new URL(baseUrl).origin === origin) return true;
  const headers = { origin, 'access-control-request-method': 'POST' };
  const answer = await fetch(`${baseUrl}/invocations/v1/flows/invoke`, { method: 'OPTIONS', headers }).catch(
    () => undefined,
  );
  return answer === undefined || answer.headers.has('access-control-allow-origin');
}

async function moveTo(page: Page, from: string, to: string): Promise<void> {
  const folder = `${to}/driver-of-conformance/`;
  await page.route(`${folder}**`, async (route) => {
    const response = await fetch(`${from}/${route.request().url().slice(folder.length)}`);
    const contentType = response.headers.get('content-type') ?? '';
    await route.fulfill({ status: response.status, contentType, body: await response.text() });
  });
  await page.goto(folder);
}

function respond(page: Page, request: DriverRequest): Promise<DriverResponse> {
  return page.evaluate((asked) => {
    const { respond } = globalThis as unknown as { respond: (asked: unknown) => Promise<DriverResponse> };
    return respond(asked);
  }, request);
}
