import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callsView } from '../../../../generator/languages/python/calls-view.ts';
import { pythonSdk } from '../../../../generator/languages/python/python-sdk.ts';
import type { PythonVenv } from '../../../support/python-venv.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv } from '../../../support/python-venv.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { runTool } from './python-archives.ts';

suiteNeeds('python', 'the layout of call constants', function () {
  this.timeout(300_000);
  let venv: PythonVenv;

  before(async function () {
    this.timeout(PYTHON_VENV_TIMEOUT_MS);
    venv = await pythonVenv();
  });

  it('matches ruff for names of any length', async () => {
    const model = await loadSdkFixture('flows');
    const lengths = Array.from({ length: 100 }, (_, index) => index + 1);
    const definitions = lengths.flatMap((length) => {
      const members = model.members.map((member, index) => ({
        ...member,
        alias: `${'x'.repeat(length)}${index}`,
      }));
      return callsView(pythonSdk({ ...model, members })).calls.map(({ definition }) => definition);
    });
    assert.ok(definitions.some((definition) => definition.includes('Final = (')));
    const source = `${definitions.join('\n')}\n`;
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-layout-'));
    try {
      const file = path.join(folder, 'constants.py');
      await writeFile(file, source);
      const options = ['--isolated', '--no-cache', '--target-version', 'py310'];
      const { code, output } = await runTool(venv, 'ruff', ['format', ...options, file], { cwd: folder });
      assert.equal(code, 0, output);
      assert.equal(source, await readFile(file, 'utf8'));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
