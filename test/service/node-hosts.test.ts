import assert from 'node:assert/strict';
import { formatNodeHost, readNodeHost } from '../../service/node-hosts.ts';

describe('an entry of SVC_NODE_HOSTS', () => {
  for (const [entry, expected] of [
    ['localhost', { host: 'localhost' }],
    [' Nodes.Internal. ', { host: 'nodes.internal' }],
    ['::1', { host: '::1' }],
    ['[::1]', { host: '::1' }],
    ['[FE80::1]:9001', { host: 'fe80::1', ports: { from: 9001, to: 9001 } }],
    ['10.0.0.5:1', { host: '10.0.0.5', ports: { from: 1, to: 1 } }],
    ['10.0.0.5:9001-65535', { host: '10.0.0.5', ports: { from: 9001, to: 65_535 } }],
    ['10.0.0.5:9001-9001', { host: '10.0.0.5', ports: { from: 9001, to: 9001 } }],
    ['acme=10.0.0.5:9001-9010', { host: '10.0.0.5', ports: { from: 9001, to: 9010 }, tenant: 'acme' }],
    ['acme-labs=::1', { host: '::1', tenant: 'acme-labs' }],
    ['acme=[::1]:7', { host: '::1', ports: { from: 7, to: 7 }, tenant: 'acme' }],
  ] as const) {
    it(`may be ${JSON.stringify(entry)}`, () => assert.deepEqual(readNodeHost(entry), expected));
  }

  for (const [entry, problem] of [
    ['', /is not a host name or an address/],
    ['.', /is not a host name or an address/],
    ['http://x', /is not a host name or an address/],
    ['x:y', /has neither a port nor a range of ports after its host/],
    ['acme=127.0.0.1:x', /has neither a port nor a range of ports after its host/],
    ['a:b:c:', /is not a host name or an address/],
    ['[1:2]:9001', /is not a host name or an address/],
    ['[::1]:', /has neither a port nor a range of ports after its host/],
    ['x:1-', /has neither a port nor a range of ports after its host/],
    ['x:1-2-3', /has neither a port nor a range of ports after its host/],
    ['[x]', /is not a host name or an address/],
    ['acme=', /is not a host name or an address/],
    ['a=b=c', /is not a host name or an address/],
    ['=localhost', /does not start with the handle of a tenant/],
    ['acme_=localhost', /does not start with the handle of a tenant/],
    ['x:0', /has a port outside of 1 to 65535/],
    ['x:1-65536', /has a port outside of 1 to 65535/],
    ['x:9010-9001', /has a port range that is out of order/],
  ] as const) {
    it(`may not be ${JSON.stringify(entry)}`, () => {
      const read = readNodeHost(entry);
      assert.match('problem' in read ? read.problem : JSON.stringify(read), problem);
    });
  }

  it('is formatted as configured, without its tenant', () => {
    for (const entry of ['localhost', '::1', '[::1]:7', '10.0.0.5:9001-9010']) {
      const read = readNodeHost(`acme=${entry}`);
      assert.equal('problem' in read ? read.problem : formatNodeHost(read), entry);
    }
  });
});
