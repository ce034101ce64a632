import assert from 'node:assert/strict';
import { ConfigError, loadConfig } from '../../service/config.ts';

describe('the configuration', () => {
  it('needs nothing', () => {
    assert.deepEqual(loadConfig({}), {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: null,
      dataDir: './data',
      databaseUrl: null,
      sync: 'full',
      logLevel: 'info',
      nodeHosts: ['localhost', '127.0.0.1', '::1'],
      goModulePrefix: 'go.svc.internal',
      secretKey: null,
      production: false,
    });
  });

  it('takes an empty variable as absent', () => {
    assert.deepEqual(loadConfig({ SVC_PORT: '', SVC_DATABASE_URL: '', SVC_NODE_HOSTS: '' }), loadConfig({}));
  });

  it('is what the environment says', () => {
    const config = loadConfig({
      SVC_HOST: '::',
      SVC_PORT: '0',
      SVC_PUBLIC_URL: 'https://svc.example.com/base//',
      SVC_DATA_DIR: '/var/lib/svc',
      SVC_DATABASE_URL: 'postgres://u:p@db:5432/svc',
      SVC_SYNC: 'normal',
      SVC_LOG_LEVEL: 'debug',
      SVC_NODE_HOSTS: ' Nodes.Internal, 10.0.0.7 ,::1',
      SVC_GO_MODULE_PREFIX: 'example.com/Go/sdk',
      SVC_SECRET_KEY: 'aB'.repeat(32),
      NODE_ENV: 'production',
      PATH: '/bin',
    });
    assert.deepEqual(config, {
      host: '::',
      port: 0,
      publicUrl: 'https://svc.example.com/base',
      dataDir: '/var/lib/svc',
      databaseUrl: 'postgres://u:p@db:5432/svc',
      sync: 'normal',
      logLevel: 'debug',
      nodeHosts: ['nodes.internal', '10.0.0.7', '::1'],
      goModulePrefix: 'example.com/Go/sdk',
      secretKey: 'aB'.repeat(32),
      production: true,
    });
  });

  it('tells everything that is wrong at once, and what it must be', () => {
    const wrong = {
      SVC_HOST: 'http://x',
      SVC_PORT: '65536',
      SVC_PUBLIC_URL: 'svc.example.com',
      SVC_DATABASE_URL: 'mysql://db',
      SVC_SYNC: 'sometimes',
      SVC_LOG_LEVEL: 'loud',
      SVC_NODE_HOSTS: 'localhost,,x:y/z',
      SVC_GO_MODULE_PREFIX: 'nodots',
      SVC_SECRET_KEY: 'secret',
    };
    assert.throws(
      () => loadConfig(wrong),
      (error) => {
        assert.ok(error instanceof ConfigError);
        const named = error.problems.map((problem) => problem.split(' ')[0]);
        assert.deepEqual(named, Object.keys(wrong));
        for (const problem of error.problems) assert.match(problem, / must be /);
        for (const problem of error.problems) assert.ok(error.message.includes(problem));
        return true;
      },
    );
  });

  it('refuses ports and prefixes that only look right', () => {
    for (const SVC_PORT of ['-1', '80.5', '0x50', ' 80', '1e3', '8080a']) {
      assert.throws(() => loadConfig({ SVC_PORT }), ConfigError, SVC_PORT);
    }
    for (const SVC_PUBLIC_URL of ['https://x/?a=1', 'https://x/#f', 'ftp://x']) {
      assert.throws(() => loadConfig({ SVC_PUBLIC_URL }), ConfigError, SVC_PUBLIC_URL);
    }
  });
});
