import assert from 'node:assert/strict';
import { checkEndpoint } from '../../../../service/nodes/container/check-endpoint.ts';

const loopback = ['localhost', '127.0.0.1', '::1'];

describe('the endpoints that the service may call', () => {
  for (const [endpoint, target] of [
    ['grpc://localhost:7001', 'localhost:7001'],
    ['grpc://127.0.0.1:1', '127.0.0.1:1'],
    ['grpc://[::1]:65535', '[::1]:65535'],
    ['GRPC://LocalHost:7001', 'localhost:7001'],
  ] as const) {
    it(`accepts ${endpoint}`, () => assert.deepEqual(checkEndpoint(endpoint, loopback), { target }));
  }

  it('ignores the case of hosts', () => {
    assert.deepEqual(checkEndpoint('grpc://nodes.example:80', ['Nodes.Example']), {
      target: 'nodes.example:80',
    });
  });

  it('refuses a host outside the list, and says what to do', () => {
    assert.deepEqual(checkEndpoint('grpc://10.0.0.1:7001', loopback), {
      error:
        'endpoint host "10.0.0.1" is not in SVC_NODE_HOSTS (localhost, 127.0.0.1, ::1): ' +
        'run the containers on one of these hosts, or ask the operator to add it',
    });
  });

  for (const endpoint of [
    '',
    'localhost:7001',
    'http://localhost:7001',
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
    'grpc://localhost,10.0.0.1:7001',
  ]) {
    it(`refuses the form ${JSON.stringify(endpoint)}`, () => {
      const checked = checkEndpoint(endpoint, loopback);
      assert.match('error' in checked ? checked.error : '', /^endpoint .*: give for example grpc:/);
    });
  }

  for (const endpoint of [
    'grpc://127.1:80',
    'grpc://0x7f000001:80',
    'grpc://[::ffff:127.0.0.1]:80',
    'grpc://0.0.0.0:80',
  ]) {
    it(`refuses another spelling of an allowed address: ${endpoint}`, () => {
      const checked = checkEndpoint(endpoint, loopback);
      assert.match('error' in checked ? checked.error : '', /is not in SVC_NODE_HOSTS/);
    });
  }

  it('quotes a hostile endpoint on one short line', () => {
    const checked = checkEndpoint(`grpc://\u001b[31m${'x'.repeat(5000)}`, loopback);
    const error = 'error' in checked ? checked.error : '';
    assert.ok(error.length < 300 && !error.includes('\u001b'), error);
  });
});
