import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { PYTHON_VENV_TIMEOUT_MS, type PythonVenv, pythonVenv } from '../support/python-venv.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const seed = '1';
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];

suiteNeeds('python', 'requests made from the OpenAPI document of the service', function () {
  this.timeout(PYTHON_VENV_TIMEOUT_MS);
  let service: RunningService;
  let venv: PythonVenv;

  before(async () => {
    venv = await pythonVenv();
    service = await startService();
  });

  after(() => service.stop());

  it(`are answered as it says, and never by a failure of the server (seed ${seed})`, async () => {
    const { key } = await service.tenant('acme');
    const options = {
      '--header': `Authorization: Bearer ${key}`,
      '--seed': seed,
      '--max-examples': '10',
      '--phases': 'coverage,fuzzing',
      '--checks': checks.join(','),
      '--generation-database': 'none',
      '--suppress-health-check': 'all',
      // A missing graph_id is a 500 by the contract (SPEC.md, Errors, the last row of the envelope).
      '--exclude-operation-id': 'invokeFlow',
    };
    const args = ['run', `${service.url}/openapi.json`, '--no-color', ...Object.entries(options).flat()];
    // Its working folder is where it leaves reports and caches.
    const run = promisify(execFile)(venv.bin('schemathesis'), args, {
      env: venv.env,
      cwd: tmpdir(),
      maxBuffer: 2 ** 26,
    });
    const { stdout } = await run.catch((error: unknown) =>
      assert.fail(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
    );
    const generated = Number(/(\d+) generated/.exec(stdout)?.[1]);
    assert.ok(generated > 500, stdout);
  });
});
