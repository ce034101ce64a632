import assert from 'node:assert/strict';
import type { NodeHost } from '../../../../service/node-hosts.ts';
import { checkEndpoint } from '../../../../service/nodes/container/check-endpoint.ts';

const loopback: NodeHost[] = [{ host: 'localhost' }, { host: '127.0.0.1' }, { host: '::1' }];
const check = (endpoint: string, hosts = loopback, tenant?: string) =>
  checkEndpoint(endpoint, { hosts, tenant });
const errorOf = (checked: ReturnType<typeof check>): string => ('error' in checked ? checked.error : '');

describe('the endpoints that the service may call', () => {
  for (const [endpoint, target, tls] of [
    ['grpc://localhost:7001', 'localhost:7001', false],
    ['grpc://127.0.0.1:1', '127.0.0.1:1', false],
    ['grpc://[::1]:65535', '[::1]:65535', false],
    ['GRPC://LocalHost:7001', 'localhost:7001', false],
    ['grpc://localhost.:7001', 'localhost:7001', false],
    ['grpcs://localhost:7001', 'localhost:7001', true],
    ['GrpcS://[::1]:7001', '[::1]:7001', true],
  ] as const) {
    it(`accept ${endpoint}`, () => assert.deepEqual(check(endpoint), { target, tls }));
  }

  it('reject a host outside the list, and report what to do', () => {
    assert.deepEqual(check('grpc://10.0.0.1:7001'), {
      error:
        'endpoint host "10.0.0.1" is not in SVC_NODE_HOSTS (localhost, 127.0.0.1, ::1): ' +
        'run the containers on one of these, or ask the operator to add it',
    });
  });

  for (const endpoint of [
    '',
    'localhost:7001',
    'http://localhost:7001',
    'grpcss://localhost:7001',
    'grpc://localhost',
    'grpc://localhost:0',
    'grpc://localhost:65536',
    'grpc://localhost:7001/',
    'grpc://localhost:7001?x',
    'grpc://user@localhost:7001',
    'grpc://10.0.0.1:1@localhost:7001',
    'grpc://localhost:7001\n',
    'grpc:// localhost:7001',
    'grpc://::1:7001',
    'grpc://.:7001',
    'grpc://localhost,10.0.0.1:7001',
  ]) {
    it(`reject the form ${JSON.stringify(endpoint)}`, () => {
      assert.match(errorOf(check(endpoint)), /^endpoint .*: give for example grpc:/);
    });
  }

  for (const endpoint of [
    'grpc://127.1:80',
    'grpc://0x7f000001:80',
    'grpc://[::ffff:127.0.0.1]:80',
    'grpc://0.0.0.0:80',
    'grpc://localhost..:80',
  ]) {
    it(`reject another spelling of an allowed address: ${endpoint}`, () => {
      assert.match(errorOf(check(endpoint)), /is not in SVC_NODE_HOSTS/);
    });
  }

  it('quote a hostile endpoint on one short line', () => {
    const error = errorOf(check(`grpc://\u001b[31m${'x'.repeat(5000)}`));
    assert.ok(error.length < 300 && !error.includes('\u001b'), error);
  });
});

describe('the ports that the service may call', () => {
  const hosts: NodeHost[] = [
    { host: '10.0.0.5', ports: { from: 9001, to: 9010 } },
    { host: '10.0.0.5', ports: { from: 9100, to: 9100 } },
    { host: '::1', ports: { from: 7000, to: 7000 } },
  ];

  for (const [endpoint, allowed] of [
    ['grpc://10.0.0.5:9000', false],
    ['grpc://10.0.0.5:9001', true],
    ['grpc://10.0.0.5:9010', true],
    ['grpc://10.0.0.5:9011', false],
    ['grpc://10.0.0.5:9100', true],
    ['grpcs://10.0.0.5:9099', false],
    ['grpc://[::1]:7000', true],
    ['grpc://[::1]:7001', false],
  ] as const) {
    it(`${allowed ? 'include' : 'exclude'} the port of ${endpoint}`, () => {
      assert.equal(errorOf(check(endpoint, hosts)) === '', allowed);
    });
  }

  it('are listed when another port is rejected', () => {
    assert.equal(
      errorOf(check('grpc://10.0.0.5:80', hosts)),
      'endpoint port 80 of host "10.0.0.5" is not in SVC_NODE_HOSTS (10.0.0.5:9001-9010, 10.0.0.5:9100): ' +
        'run the containers on one of these, or ask the operator to add it',
    );
  });
});

describe('hosts allowed for one tenant', () => {
  const hosts: NodeHost[] = [
    { host: '10.0.0.5', ports: { from: 9001, to: 9010 }, tenant: 'acme' },
    { host: '10.0.0.6', tenant: 'globex' },
  ];

  it('are allowed for that tenant only', () => {
    assert.deepEqual(check('grpc://10.0.0.5:9001', hosts, 'acme'), { target: '10.0.0.5:9001', tls: false });
    for (const tenant of ['globex', 'acm', undefined]) {
      assert.match(errorOf(check('grpc://10.0.0.5:9001', hosts, tenant)), /is not in SVC_NODE_HOSTS/);
    }
  });

  it('are not disclosed to another tenant', () => {
    assert.equal(
      errorOf(check('grpc://10.0.0.5:9001', hosts, 'globex')),
      'endpoint host "10.0.0.5" is not in SVC_NODE_HOSTS (10.0.0.6): ' +
        'run the containers on one of these, or ask the operator to add it',
    );
    assert.equal(
      errorOf(check('grpc://10.0.0.5:9001', hosts, 'initech')),
      'endpoint host "10.0.0.5" is not in SVC_NODE_HOSTS (which has no host for your packages): ask the operator to add it',
    );
  });
});
