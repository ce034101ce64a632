import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { suiteNeeds } from './support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '..');

/** Each works over the whole project, and takes minutes on a busy machine. */
const scripts = { 'is formatted': 'format:check', 'passes its linter and has no type error': 'lint' };

/** A suite like any other, so that its long processes, one at a time, share the processors with the tests. */
suiteNeeds('npm', 'the project', function () {
  this.timeout(900_000);

  for (const [title, script] of Object.entries(scripts)) {
    it(title, async () => {
      const { code, output } = await check(script);
      assert.equal(code, 0, `npm run ${script}:\n${output}`);
    });
  }
});

async function check(script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('npm', ['run', '--silent', script], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: stdout + stderr };
}
