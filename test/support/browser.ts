import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

/** A page in a real browser, with its errors. */
export interface WatchedPage {
  page: Page;
  /** Requests to other origins, which are blocked. */
  foreign: string[];
  /** Errors of scripts and of the console, including warnings. */
  problems: string[];
}

export interface BrowserSession {
  /** Opens a tab in a separate profile that blocks requests to other origins. */
  open(origin: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Opens a separate profile, whose pages may call any origin. */
  profile(): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** Time limit of a wait for a page, on a busy machine. */
const PATIENCE_MS = 90_000;

/**
 * Starts Chromium without a window. It prefers the headless shell, which has the same engine and takes about half the
 * processor time. The caller closes the browser in an `after`. With `keepsPages`, the browser keeps pages in the
 * back/forward cache, as it does for users; the shell does not.
 */
export async function startBrowser({ keepsPages = false } = {}): Promise<BrowserSession> {
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath(keepsPages ? ['chromium'] : ['chromium-headless-shell', 'chromium']),
    timeout: PATIENCE_MS,
    ignoreDefaultArgs: keepsPages ? ['--disable-back-forward-cache'] : [],
  });
  const contexts: BrowserContext[] = [];
  return {
    open: async (origin, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      contexts.push(context);
      const watched: WatchedPage = { page: await context.newPage(), foreign: [], problems: [] };
      await context.route('**/*', async (route) => {
        const url = route.request().url();
        if (url.startsWith(`${origin}/`) || url.startsWith('data:')) return route.fallback();
        watched.foreign.push(url);
        return route.abort();
      });
      watched.page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) watched.problems.push(message.text());
      });
      watched.page.on('pageerror', ({ message }) => watched.problems.push(message));
      watched.page.on('dialog', (dialog) => {
        watched.problems.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      return watched;
    },
    profile: async () => {
      const context = await browser.newContext();
      context.setDefaultTimeout(PATIENCE_MS);
      contexts.push(context);
      return context;
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await browser.close();
    },
  };
}

/** Returns the path of the first of these programs in PATH. */
function chromiumPath(names: readonly string[]): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(existsSync);
  if (found === undefined) throw new Error(`no ${names.join(' or ')} in PATH`);
  return found;
}
