import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ConfigError, loadConfig } from '../../service/config.ts';
import { tlsFile } from '../support/tls-files.ts';

describe('the configuration', () => {
  it('has a default for every variable', () => {
    assert.deepEqual(loadConfig({}), {
      host: '127.0.0.1',
      port: 8080,
      metrics: { host: '127.0.0.1', port: 9464 },
      connections: { total: 10_000, perAddress: 1_000 },
      publicUrl: null,
      dataDir: './data',
      databaseUrl: null,
      sync: 'full',
      logLevel: 'info',
      nodeHosts: [{ host: 'localhost' }, { host: '127.0.0.1' }, { host: '::1' }],
      nodeAuthorities: null,
      warmPackages: 48,
      goModulePrefix: 'go.svc.internal',
      secretKey: null,
      tracesUrl: null,
    });
  });

  it('treats an empty variable as absent', () => {
    assert.deepEqual(loadConfig({ SVC_PORT: '', SVC_DATABASE_URL: '', SVC_NODE_HOSTS: '' }), loadConfig({}));
  });

  it('reads every variable', () => {
    const config = loadConfig({
      SVC_HOST: '::',
      SVC_PORT: '0',
      SVC_METRICS_HOST: '10.0.0.9',
      SVC_METRICS_PORT: '9100',
      SVC_MAX_CONNECTIONS: '20000',
      SVC_MAX_CONNECTIONS_PER_ADDRESS: '5000',
      SVC_PUBLIC_URL: 'https://svc.example.com/base//',
      SVC_DATA_DIR: '/var/lib/svc',
      SVC_DATABASE_URL: 'postgres://u:p@db:5432/svc',
      SVC_SYNC: 'normal',
      SVC_LOG_LEVEL: 'debug',
      SVC_NODE_HOSTS: ' Nodes.Internal, 10.0.0.7:9001-9010 ,acme=::1',
      SVC_NODE_CA_FILE: tlsFile('authority.pem'),
      SVC_WARM_PACKAGES: '0',
      SVC_GO_MODULE_PREFIX: 'example.com/Go/sdk',
      SVC_SECRET_KEY: 'aB'.repeat(32),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/otel/',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      PATH: '/bin',
    });
    assert.deepEqual(config, {
      host: '::',
      port: 0,
      metrics: { host: '10.0.0.9', port: 9100 },
      connections: { total: 20_000, perAddress: 5_000 },
      publicUrl: 'https://svc.example.com/base',
      dataDir: '/var/lib/svc',
      databaseUrl: 'postgres://u:p@db:5432/svc',
      sync: 'normal',
      logLevel: 'debug',
      nodeHosts: [
        { host: 'nodes.internal' },
        { host: '10.0.0.7', ports: { from: 9001, to: 9010 } },
        { host: '::1', tenant: 'acme' },
      ],
      nodeAuthorities: readFileSync(tlsFile('authority.pem'), 'utf8').trim(),
      warmPackages: 0,
      goModulePrefix: 'example.com/Go/sdk',
      secretKey: 'aB'.repeat(32),
      tracesUrl: 'http://collector:4318/otel/v1/traces',
    });
  });

  it('reports every invalid variable with its requirement', () => {
    const wrong = {
      SVC_HOST: 'http://x',
      SVC_PORT: '65536',
      SVC_METRICS_HOST: 'http://y',
      SVC_METRICS_PORT: 'off',
      SVC_MAX_CONNECTIONS: '0',
      SVC_MAX_CONNECTIONS_PER_ADDRESS: '1e3',
      SVC_PUBLIC_URL: 'svc.example.com',
      SVC_DATABASE_URL: 'mysql://db',
      SVC_SYNC: 'sometimes',
      SVC_LOG_LEVEL: 'loud',
      SVC_NODE_HOSTS: 'localhost,,x:y/z',
      SVC_NODE_CA_FILE: '/none/nodes.pem',
      SVC_GO_MODULE_PREFIX: 'nodots',
      SVC_SECRET_KEY: 'secret',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://collector',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_SDK_DISABLED: 'maybe',
      SVC_BLOB_URL: 's3://bucket/prefix',
      SVC_S3_ENDPOINT: 'http://127.0.0.1:9000',
      SVC_REDIS_URL: 'redis://127.0.0.1',
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

  it('reports every invalid entry of SVC_NODE_HOSTS', () => {
    assert.throws(
      () => loadConfig({ SVC_NODE_HOSTS: 'localhost,x:y/z,acme=10.0.0.5:9010-9001' }),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(error.problems, [
          'SVC_NODE_HOSTS must be a comma-separated list such as localhost,10.0.0.7:9001-9010,acme=nodes.internal:7001: ' +
            'the entry "x:y/z" is not a host name or an address; ' +
            'the entry "acme=10.0.0.5:9010-9001" has a port range that is out of order',
        ]);
        return true;
      },
    );
  });

  it('rejects malformed ports and URLs', () => {
    for (const SVC_PORT of ['-1', '80.5', '0x50', ' 80', '1e3', '8080a']) {
      assert.throws(() => loadConfig({ SVC_PORT }), ConfigError, SVC_PORT);
    }
    for (const SVC_PUBLIC_URL of ['https://x/?a=1', 'https://x/#f', 'ftp://x', 'https://user:pass@x']) {
      assert.throws(() => loadConfig({ SVC_PUBLIC_URL }), ConfigError, SVC_PUBLIC_URL);
    }
    for (const SVC_DATA_DIR of [' ', ' data', 'data\n'])
      assert.throws(() => loadConfig({ SVC_DATA_DIR }), /SVC_DATA_DIR must not begin or end with a blank/);
    assert.equal(loadConfig({ SVC_DATA_DIR: 'my data' }).dataDir, 'my data');
  });

  it('rejects a database URL without a host', () => {
    for (const SVC_DATABASE_URL of [
      'postgres://',
      'postgres:svc',
      'postgresql:///svc',
      'postgres://u:p@/svc',
      'svc',
    ]) {
      assert.throws(
        () => loadConfig({ SVC_DATABASE_URL }),
        /^ {2}SVC_DATABASE_URL must be postgres:\/\/user:password@host:port\/database$/m,
        SVC_DATABASE_URL,
      );
    }
    for (const url of ['postgres://db', 'postgresql://u:p@db/svc', 'postgres:///svc?host=/run/postgresql']) {
      assert.equal(loadConfig({ SVC_DATABASE_URL: url }).databaseUrl, url);
    }
  });

  it('chooses any free port for the metrics if the API does', () => {
    assert.equal(loadConfig({ SVC_PORT: '0' }).metrics.port, 0);
    assert.equal(loadConfig({ SVC_PORT: '8081' }).metrics.port, 9464);
    assert.equal(loadConfig({ SVC_PORT: '0', SVC_METRICS_PORT: '9100' }).metrics.port, 9100);
  });

  it('derives the endpoint for spans from the OpenTelemetry variables', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector' };
    assert.equal(loadConfig(endpoint).tracesUrl, 'https://collector/v1/traces');
    const forSpans = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://spans/take' };
    assert.equal(loadConfig(forSpans).tracesUrl, 'http://spans/take');
    for (const yes of ['true', 'TRUE']) {
      assert.equal(loadConfig({ ...forSpans, OTEL_SDK_DISABLED: yes }).tracesUrl, null);
    }
    assert.notEqual(loadConfig({ ...forSpans, OTEL_SDK_DISABLED: 'false' }).tracesUrl, null);
    assert.equal(loadConfig({ ...forSpans, OTEL_TRACES_EXPORTER: 'none' }).tracesUrl, null);
    assert.notEqual(loadConfig({ ...forSpans, OTEL_TRACES_EXPORTER: 'otlp' }).tracesUrl, null);
  });

  it('suggests an alternative to an unsupported variable', () => {
    for (const [name, instead] of [
      ['SVC_BLOB_URL', 'SVC_DATA_DIR'],
      ['SVC_S3_ENDPOINT', 'SVC_DATA_DIR'],
      ['SVC_REDIS_URL', 'SVC_DATABASE_URL'],
    ] as const) {
      const message = new RegExp(`${name} must be unset, because it is not supported yet: .*${instead}`);
      assert.throws(() => loadConfig({ [name]: 'x' }), message);
    }
  });
});
