import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { suiteNeeds } from './support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '..');

/** Each works over the whole project, and takes minutes on a busy machine. */
const scripts = { 'is formatted': 'format:check', 'passes its linter': 'lint', 'has no type error': 'types' };

/** A suite like any other, so that its one long process shares the processors with the tests. */
suiteNeeds('npm', 'the project', function () {
  this.timeout(900_000);
  const runs = new Map<string, Promise<Checked>>();

  before(() => {
    for (const script of Object.values(scripts)) runs.set(script, check(script));
  });

  for (const [title, script] of Object.entries(scripts)) {
    it(title, async () => {
      const { code, output } = (await runs.get(script)) ?? {};
      assert.equal(code, 0, `npm run ${script}:\n${output}`);
    });
  }
});

interface Checked {
  code: number | null;
  output: string;
}

async function check(script: string): Promise<Checked> {
  const child = spawn('npm', ['run', '--silent', script], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: stdout + stderr };
}
