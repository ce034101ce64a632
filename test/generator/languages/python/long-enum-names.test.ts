import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fieldsView } from '../../../../generator/languages/python/fields-view.ts';
import { pythonSdk } from '../../../../generator/languages/python/python-sdk.ts';
import type { PythonVenv } from '../../../support/python-venv.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv } from '../../../support/python-venv.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { runTool } from './python-archives.ts';

suiteNeeds('python', 'the layout of enum names', function () {
  this.timeout(300_000);
  let venv: PythonVenv;

  before(async function () {
    this.timeout(PYTHON_VENV_TIMEOUT_MS);
    venv = await pythonVenv();
  });

  it('matches ruff for names of any length', async () => {
    const model = await loadSdkFixture('enums');
    const lengths = Array.from({ length: 100 }, (_, index) => index + 1);
    const definitions = lengths.flatMap((length) =>
      [1, 2, 3].flatMap((count) => {
        const enums = model.types.enums.map((type, index) => ({
          ...type,
          name: `${'X'.repeat(length)}${index}`,
          values: type.values
            .slice(0, count)
            .map((value) => ({ ...value, name: `${'V'.repeat(index * 25)}_${value.name}` })),
        }));
        return fieldsView(pythonSdk({ ...model, types: { ...model.types, enums } })).enums;
      }),
    );
    assert.equal(definitions.length, 1_200);
    const source = `${definitions.join('\n')}\n`;
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-layout-'));
    try {
      const file = path.join(folder, 'names.py');
      await writeFile(file, source);
      const options = ['--isolated', '--no-cache', '--target-version', 'py310'];
      const { code, output } = await runTool(venv, 'ruff', ['format', ...options, file], { cwd: folder });
      assert.equal(code, 0, output);
      assert.equal(await readFile(file, 'utf8'), source);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
