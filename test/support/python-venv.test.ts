import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { PYTHON_VENV_TIMEOUT_MS, type PythonVenv, pythonVenv } from './python-venv.ts';
import { suiteNeeds } from './toolchains.ts';

const run = promisify(execFile);

suiteNeeds('python', 'the Python environment', () => {
  let venv: PythonVenv;
  let folder: string;

  before(async function () {
    this.timeout(PYTHON_VENV_TIMEOUT_MS);
    folder = await mkdtemp(path.join(tmpdir(), 'svc-python-'));
    venv = await pythonVenv();
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('is shared by concurrent callers', async () => {
    const all = await Promise.all([pythonVenv(), pythonVenv()]);
    assert.deepEqual(
      all.map((each) => each.folder),
      [venv.folder, venv.folder],
    );
  });

  it('contains the libraries of the SDK and of the fixture container', async () => {
    await run(venv.python, ['-c', 'import httpx, pytest, grpc, grpc_tools, google.protobuf'], {
      env: venv.env,
    });
  });

  for (const program of ['ruff', 'mypy', 'pytest', 'pyright']) {
    it(`runs ${program}`, async () => {
      const { stdout } = await run(venv.bin(program), ['--version'], { env: venv.env });
      assert.match(stdout, /\d+\.\d+/);
    });
  }

  it('checks types with pyright offline', async () => {
    await writeFile(path.join(folder, 'wrong.py'), 'count: int = "three"\n');
    const env = { ...venv.env, HTTPS_PROXY: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1' };
    const check = run(venv.bin('pyright'), ['--pythonpath', venv.python, 'wrong.py'], { env, cwd: folder });
    await assert.rejects(check, (error: { stdout: string }) => error.stdout.includes('reportAssignmentType'));
  });
});
