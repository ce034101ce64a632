import assert from 'node:assert/strict';
import path from 'node:path';
import type { PythonVenv } from '../../../support/python-venv.ts';
import { archiveVenv, PYTHON_VENV_TIMEOUT_MS } from '../../../support/python-venv.ts';
import { installedPythons } from '../../../support/pythons.ts';
import { importEverything } from './archive-checks.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';
import { runTool } from './python-archives.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

const fixtures = ['basic', 'maps-oneofs-optional', 'well-known'];
const pythons = installedPythons();

suiteNeeds('python', 'Python archives under every installed Python', function () {
  this.timeout(300_000);

  if (pythons.length < 2) {
    it.skip(
      'skipped without a second Python 3.10 or later (use pyenv install, or put python3.x on the PATH)',
    );
    return;
  }

  let archives: UnpackedArchives;
  before(async () => {
    archives = await unpackArchives('python', fixtures);
  });
  after(async () => {
    await archives.remove();
  });

  for (const python of pythons) {
    describe(`Python ${python.version}`, () => {
      let venv: PythonVenv;
      before(async function () {
        this.timeout(PYTHON_VENV_TIMEOUT_MS);
        venv = await archiveVenv(python);
      });

      for (const name of fixtures) {
        it(`imports every module, and reads and writes every message: ${name}`, async () => {
          const { code, output } = await runTool(
            venv,
            'python',
            ['-W', 'error', '-c', importEverything, name],
            {
              cwd: archives.root,
            },
          );
          assert.equal(code, 0, output.slice(-4_000));
        });

        it(`calls every member: ${name}`, async () => {
          const { code, output } = await runTool(
            venv,
            'python',
            ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-n', '0', '-k', 'test_every_member_is_called'],
            { cwd: path.join(archives.root, name) },
          );
          assert.equal(code, 0, output.slice(-4_000));
          assert.match(output, /\d+ passed/);
        });
      }
    });
  }
});
