import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suiteNeeds } from '../../support/toolchains.ts';

const runtimeDir = path.resolve(import.meta.dirname, '../../../templates/typescript/runtime');

/** The tests that every archive contains. */
const testFiles = readdirSync(path.join(runtimeDir, 'test'))
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => path.join('test', file));

suiteNeeds('processes', 'the runtime of the TypeScript SDK', () => {
  it('passes its own tests without compilation', async function () {
    this.timeout(300_000);
    const { code, output } = await run(['--test', '--test-concurrency=8', ...testFiles]);
    assert.equal(code, 0, output);
    assert.match(output, /fail 0/);
    assert.ok(Number(/pass (\d+)/.exec(output)?.[1]) > 80, output);
  });

  it('uses platform-specific globals in one file only', () => {
    const platform = readdirSync(path.join(runtimeDir, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) =>
        /\bprocess\b|\bBuffer\b|\bDeno\b|\bwindow\b|"node:/.test(
          readFileSync(path.join(runtimeDir, 'src', file), 'utf8'),
        ),
      );
    assert.deepEqual(platform, [path.join('runtime', 'platform.ts')]);
  });
});

function run(args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: runtimeDir, encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` });
    });
  });
}
