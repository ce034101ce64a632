import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { requiredToolchains } from './toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

describe('required toolchains', () => {
  it('are none by default', () => {
    assert.deepEqual([...requiredToolchains({})], []);
  });

  it('are named in a comma list, spaces allowed', () => {
    assert.deepEqual([...requiredToolchains({ SVC_REQUIRE_TOOLCHAINS: 'npm, python,' })], ['npm', 'python']);
  });

  it('refuse a name that no suite knows, naming those it does', () => {
    assert.throws(
      () => requiredToolchains({ SVC_REQUIRE_TOOLCHAINS: 'pyhton' }),
      /unknown pyhton: known are npm, python, postgres/,
    );
  });
});

describe('a suite that needs a toolchain', () => {
  let folder: string;

  before(async () => {
    // Beneath the project, so that the suite's import of this folder and mocha's own resolve.
    folder = await mkdtemp(path.join(projectRoot, 'test/support/.toolchains-'));
    const body = `import { suiteNeeds } from '../toolchains.ts';
      suiteNeeds('python', 'a Python suite', () => { it('runs', () => undefined); });`;
    await writeFile(path.join(folder, 'needy.test.ts'), body);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('runs when the toolchain is there', async function () {
    const there = await runSuite({});
    if (there.output.includes('skipped without python')) this.skip();
    assert.match(there.output, /a Python suite\s+. runs/);
    assert.equal(there.code, 0);
  });

  it('is skipped by name with the reason when the toolchain is absent', async () => {
    const absent = await runSuite({ PATH: '/nonexistent' });
    assert.match(
      absent.output,
      /a Python suite\s+- skipped without python: python3 cannot be started .* \(apt-get/,
    );
    assert.equal(absent.code, 0);
  });

  it('fails when an absent toolchain is required, saying what to install', async () => {
    const absent = await runSuite({ PATH: '/nonexistent', SVC_REQUIRE_TOOLCHAINS: 'python' });
    assert.match(absent.output, /SVC_REQUIRE_TOOLCHAINS asks for python, but python3 cannot be started/);
    assert.match(absent.output, /apt-get install python3/);
    assert.equal(absent.code, 1);
  });

  async function runSuite(env: Record<string, string>): Promise<{ code: number; output: string }> {
    const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
    const suite = path.join(folder, 'needy.test.ts');
    const args = [mocha, '--no-config', '--reporter', 'spec', suite];
    const childEnv: NodeJS.ProcessEnv = { ...process.env, SVC_REQUIRE_TOOLCHAINS: '', ...env };
    return run(process.execPath, args, { cwd: projectRoot, env: childEnv }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: unknown) => {
        const failed = error as { code: number; stdout: string };
        return { code: failed.code, output: failed.stdout };
      },
    );
  }
});
