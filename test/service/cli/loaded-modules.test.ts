import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { suiteNeeds } from '../../support/toolchains.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const listing = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`;

/** Runs the CLI and returns what it loads, as paths from the project's root. Node's own modules are left out. */
async function modulesOf(...args: string[]): Promise<string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(listing)}`;
  const main = path.join(root, 'service/cli/main.ts');
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', hook, main, ...args]);
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('file:'))
    .map((url) => path.relative(root, new URL(url).pathname));
}

suiteNeeds('processes', 'what a command loads', () => {
  it('is the command line alone for the help and the version', async () => {
    for (const option of ['--help', '--version']) {
      const loaded = await modulesOf(option);
      const beside = loaded.filter(
        (file) => !/^(?:service\/cli\/[^/]+|node_modules\/commander\/.*|package\.json)$/.test(file),
      );
      assert.deepEqual(beside, [], option);
      assert.ok(loaded.includes('service/cli/program.ts'));
    }
  });

  it('is the server for svc serve only', async () => {
    const withServer = [];
    for (const name of ['serve', 'key', 'node', 'demo']) {
      const loaded = await modulesOf(name, '--help');
      assert.ok(loaded.some((file) => file.startsWith('service/cli/commands/')));
      if (loaded.includes('service/app.ts')) withServer.push(name);
    }
    assert.deepEqual(withServer, ['serve']);
  });
});
