import assert from 'node:assert/strict';
import path from 'node:path';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { writeFiles } from '../../../support/cargo.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv, type PythonVenv } from '../../../support/python-venv.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { runTool } from './python-archives.ts';
import { longNameModels } from '../long-name-models.ts';

/** All other files are independent of names. */
const dependsOnNames = /^(README\.md|examples\/.*|tests\/sdk\.py|src\/\w+\/(client|messages|_fields)\.py)$/;

suiteNeeds('python', 'lines of the Python SDK', function () {
  this.timeout(300_000);
  let venv: PythonVenv;
  before(async function () {
    this.timeout(PYTHON_VENV_TIMEOUT_MS);
    venv = await pythonVenv();
  });

  it('break like ruff for names of any length', async () => {
    const { language, templates } = await loadLanguage('python');
    const folder = await temporaryFolder({});
    try {
      for (const [index, model] of longNameModels(40, 90).entries()) {
        const files = await sdkFiles(model, language, templates);
        await writeFiles(
          path.join(folder.path, `${index}`),
          files.filter(({ path: file }) => dependsOnNames.test(file)),
        );
      }
      const flags = ['format', '--isolated', '--no-cache', '--target-version', 'py310', '--diff', '.'];
      const { code, output } = await runTool(venv, 'ruff', flags, { cwd: folder.path });
      assert.equal(code, 0, output.slice(0, 2_000));
    } finally {
      await folder.remove();
    }
  });
});
