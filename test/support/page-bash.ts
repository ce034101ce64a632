import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBash } from './bash-session.ts';

const launcher = path.resolve(import.meta.dirname, '../../service/cli/svc');

/** A terminal in a new folder, as a reader has it, where `npx svc` runs the command of the project. */
export interface PageBash {
  folder: string;
  run(script: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts a terminal.
 * @param env variables that the page requires, such as `SVC_API_KEY`
 */
export async function startPageBash(env: Readonly<Record<string, string>>): Promise<PageBash> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-page-'));
  const bash = startBash({ cwd: folder, env: { ...process.env, ...env } });
  // npx takes seconds to find the launcher, which test/readme.test.ts covers.
  await bash.run(`npx() { shift; '${launcher}' "$@"; }`);
  return {
    folder,
    run: (script) => bash.run(script),
    close: async () => {
      bash.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the command blocks of a page that contain a text, in order. Fails if there are none. */
export function commandsWith(
  blocks: readonly { language: string; content: string }[],
  text: string,
): string[] {
  const found = blocks.filter(({ language, content }) => language === 'sh' && content.includes(text));
  assert.ok(found.length > 0, `no block of commands contains ${text}`);
  return found.map(({ content }) => content);
}
