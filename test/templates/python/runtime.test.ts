import assert from 'node:assert/strict';
import path from 'node:path';
import { runTool } from '../../generator/languages/python/python-archives.ts';
import type { PythonVenv } from '../../support/python-venv.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv } from '../../support/python-venv.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '../../..');

suiteNeeds('python', 'the Python runtime', function () {
  this.timeout(180_000);
  let venv: PythonVenv;

  before(async function () {
    this.timeout(PYTHON_VENV_TIMEOUT_MS);
    venv = await pythonVenv();
  });

  // Those in templates/python/runtime/tests are part of each archive, and run there.
  it('passes its tests in test/templates/python', async () => {
    const { code, output } = await runTool(
      venv,
      'python',
      [
        '-m',
        'pytest',
        '-q',
        ...['-p', 'no:cacheprovider', '-p', 'conftest'],
        ...['--rootdir', projectRoot, '--config-file', '/dev/null'],
        'test/templates/python',
      ],
      { cwd: projectRoot, env: { PYTHONPATH: path.join(projectRoot, 'test/templates/python') } },
    );
    assert.equal(code, 0, output.slice(-4_000));
    assert.match(output, /\d+ passed/);
  });
});
