import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

interface Visited {
  url: string;
  key: string;
}

/** Opens a page with a stored key, and waits until it shows its document. */
export async function openKeyed(page: Page, { url, key }: Visited, path: string): Promise<void> {
  await page.addInitScript(`sessionStorage.setItem('svc.api-key', '${key}')`);
  await page.goto(url + path);
  if (path !== '/docs') await page.locator('#reference h1').first().waitFor();
}

/** Enters a key into the panel of the page. */
export async function useKey(page: Page, key: string): Promise<void> {
  const panel = page.locator('#key-panel');
  if (await panel.isHidden()) await page.getByRole('button', { name: 'API key' }).click();
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Use key' }).click();
}

/** Sends the sample of an operation, by default the first one, and waits for the response. */
export async function send(page: Page, expected: RegExp, operation?: string): Promise<void> {
  await page.locator('#reference h1').first().waitFor();
  const name = operation === undefined ? /Test Request/ : new RegExp(`Test Request.*${operation}`);
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('button', { name: /^Send/ }).first().click();
  const answer = page.getByRole('region', { name: /Response/ }).first();
  let shown = '';
  for (let tries = 0; tries < 150 && !expected.test(shown); tries++) {
    await page.waitForTimeout(100);
    shown = await answer.innerText();
  }
  assert.match(shown, expected);
}
