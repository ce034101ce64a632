import assert from 'node:assert/strict';

import { type ChildRun, runMocha } from './child-mocha.ts';
import { requiredToolchains, suiteNeeds } from './toolchains.ts';

describe('required toolchains', () => {
  it('are none by default', () => {
    assert.deepEqual([...requiredToolchains({})], []);
  });

  it('are separated by commas and optional spaces', () => {
    assert.deepEqual([...requiredToolchains({ SVC_REQUIRE_TOOLCHAINS: 'npm, python,' })], ['npm', 'python']);
  });

  it('are rejected if unknown, with a list of the known ones', () => {
    assert.throws(
      () => requiredToolchains({ SVC_REQUIRE_TOOLCHAINS: 'pyhton' }),
      /unknown toolchains pyhton: known are processes, typescript, linters, mounts, npm, python, go, rust, java, dotnet, chromium, postgres, postgres-tools/,
    );
  });
});

suiteNeeds('processes', 'a suite that needs a toolchain', () => {
  it('runs when the toolchain is installed', async () => {
    const there = await runNeedySuite('npm', {});
    assert.match(there.output, /a needy suite\s+. runs/);
    assert.equal(there.code, 0);
  });

  it('is skipped by name with the reason when the toolchain is missing', async () => {
    const absent = await runNeedySuite('python', { PATH: '/nonexistent' });
    assert.match(
      absent.output,
      /a needy suite: skipped without python: python3 cannot be started .* \(apt-get/,
    );
    assert.match(absent.output, /0 passed, 0 failed, 1 skipped\n$/);
    assert.equal(absent.code, 0);
  });

  it('fails when a required toolchain is missing, with the command that installs it', async () => {
    const absent = await runNeedySuite('python', { PATH: '/nonexistent', SVC_REQUIRE_TOOLCHAINS: 'python' });
    assert.match(absent.output, /SVC_REQUIRE_TOOLCHAINS lists python, but python3 cannot be started/);
    assert.match(absent.output, /apt-get install python3/);
    assert.equal(absent.code, 1);
  });
});

function runNeedySuite(toolchain: string, env: NodeJS.ProcessEnv): Promise<ChildRun> {
  const suite = `import { suiteNeeds } from '../toolchains.ts';
    suiteNeeds('${toolchain}', 'a needy suite', () => { it('runs', () => undefined); });`;
  return runMocha({ 'needy.test.ts': suite }, { env });
}
