import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { inTime } from '../../../service/in-time.ts';
import { startBrowser } from '../../support/browser.ts';
import { servePages } from '../../support/page-server.ts';
import type { ConformanceLanguage } from '../conformance-language.ts';
import { PATIENCE_MS } from '../driver-process.ts';
import type { Driver, DriverRequest, DriverResponse } from '../driver-protocol.ts';

const drivers = path.join(import.meta.dirname, '../drivers');

/** Runs in Chromium, upon the archive's sources without their types; the generator's suites check the built files. */
export const conformanceLanguage: ConformanceLanguage = {
  id: 'typescript-browser',
  toolchain: 'chromium',
  byAppKey: true,
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

/** A driver that is a page, whose calls go to another origin. */
async function pageDriver(context: BrowserContext, origin: string): Promise<Driver> {
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  return {
    async run(request) {
      const response = await inTime(respond(page, request), PATIENCE_MS);
      if (response === undefined)
        throw new Error(`the page gave no result in ${PATIENCE_MS} ms\n${said.join('\n')}`);
      return response;
    },
    stop: () => context.close(),
  };
}

function respond(page: Page, request: DriverRequest): Promise<DriverResponse> {
  return page.evaluate((request) => {
    const { respond } = globalThis as unknown as { respond: (request: unknown) => Promise<DriverResponse> };
    return respond(request);
  }, request);
}
