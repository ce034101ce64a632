import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { runSvc } from '../../../support/run-svc.ts';
import { bareEnv, program, startServeProcess } from '../../../support/serve-process.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { unprivileged } from '../../../support/unprivileged.ts';

suiteNeeds('processes', 'svc serve with a bad SVC_NODE_CA_FILE', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder({
      'empty.pem': '',
      'torn.pem': '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n',
    });
  });
  after(() => folder.remove());

  for (const [name, reason] of [
    ['missing.pem', /cannot be read \(ENOENT/],
    ['empty.pem', /has no certificate/],
    ['torn.pem', /has a certificate that cannot be read/],
  ] as const) {
    it(`exits with 2 and the reason: ${name}`, async () => {
      const file = path.join(folder.path, name);
      const { code, stdout, stderr } = await runSvc(['serve'], {
        env: {
          SVC_NODE_CA_FILE: file,
          SVC_DATA_DIR: path.join(folder.path, 'data'),
          SVC_PORT: '0',
          SVC_LOG_LEVEL: 'info',
        },
      });
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.ok(stderr.includes(`SVC_NODE_CA_FILE must be a PEM file with certificates: ${file}`), stderr);
      assert.match(stderr, reason);
      assert.doesNotMatch(stderr, /\n +at /, 'no stack');
    });
  }
});

suiteNeeds('processes', 'svc serve with several invalid settings', () => {
  it('reports all of them at once and creates nothing', async () => {
    const folder = await temporaryFolder({});
    const dataDir = path.join(folder.path, 'data');
    const { code, stderr } = await runSvc(['serve'], {
      env: {
        SVC_DATA_DIR: dataDir,
        SVC_PORT: 'x',
        SVC_NODE_CA_FILE: path.join(folder.path, 'missing.pem'),
        OTEL_SDK_DISABLED: 'maybe',
      },
    });
    assert.equal(code, 2);
    const named = stderr.match(/^ {2}\w+(?= must be )/gm)?.map((name) => name.trim());
    assert.deepEqual(named, ['SVC_PORT', 'SVC_NODE_CA_FILE', 'OTEL_SDK_DISABLED'], stderr);
    assert.ok(!existsSync(dataDir));
    await folder.remove();
  });
});

suiteNeeds('processes', 'svc serve in an empty folder', () => {
  it('warns about a misspelled variable, and about no other', async () => {
    const folder = await temporaryFolder({});
    const service = await startServeProcess({
      SVC_DATA_DIR: path.join(folder.path, 'data'),
      SVC_SYNC: 'off',
      SVC_LOGLEVEL: 'info',
      ...{ SVC_BASE_URL: 'x', SVC_API_KEY: 'x', SVC_NODE_TOKEN: 'x', SVC_PORT_8080_TCP_ADDR: '10.0.0.1' },
    });
    try {
      const warnings = service.stderr().match(/^warning: .*$/gm);
      assert.deepEqual(warnings, ['warning: SVC_LOGLEVEL has no effect: did you mean SVC_LOG_LEVEL?']);
    } finally {
      await service.kill();
      await folder.remove();
    }
  });

  it('reports where it creates the database', async () => {
    const folder = await temporaryFolder({});
    const dataDir = path.join(folder.path, 'data');
    const service = await startServeProcess({ SVC_DATA_DIR: dataDir, SVC_SYNC: 'off' });
    try {
      assert.ok(service.stderr().startsWith(`there is no database in ${dataDir} yet: creating one; `));
      assert.ok(existsSync(path.join(dataDir, 'svc.db')));
    } finally {
      await service.kill();
      await folder.remove();
    }
  });
});

suiteNeeds('processes', 'svc serve with a data folder that is not writable', () => {
  it('reports it, exits with 1 and keeps the mode of the folder', async () => {
    const folder = await temporaryFolder({});
    const dataDir = path.join(folder.path, 'data');
    await chmod(folder.path, 0o777);
    const run = promisify(execFile);
    // The owner of the folder could change its mode.
    const [make, ...makeArgs] = unprivileged('mkdir', '--mode=0555', dataDir);
    await run(make, makeArgs);
    const [command, ...args] = unprivileged(process.execPath, program, 'serve');
    const serving = run(command, args, {
      env: { ...bareEnv(), NODE_COMPILE_CACHE: undefined, SVC_DATA_DIR: dataDir, SVC_PORT: '0' },
      timeout: 30_000,
    });
    await assert.rejects(serving, { code: 1, stdout: '' });
    const { stderr } = (await serving.catch((error: unknown) => error)) as { stderr: string };
    assert.equal(
      stderr,
      `svc: cannot write to the data folder ${dataDir} (cannot write a file: permission denied): ` +
        'set SVC_DATA_DIR to a folder that svc may write\n',
    );
    assert.equal(((await stat(dataDir)).mode & 0o777).toString(8), '555');
    assert.deepEqual(await readdir(dataDir), []);
    await folder.remove();
  });
});
