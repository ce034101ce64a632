import assert from 'node:assert/strict';
import { networkOf } from '../../../service/access/caller-network.ts';

describe('the network of a caller', () => {
  const networks: Record<string, string> = {
    '127.0.0.1': '127.0.0.1',
    '::ffff:192.0.2.7': '192.0.2.7',
    '::FFFF:192.0.2.7': '192.0.2.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8:1:2::6': '2001:db8:1:2::/64',
    '2001:0DB8:0001:0002::': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '2001:db8::192.0.2.7': '2001:db8:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '::1': '0:0:0:0::/64',
    '::': '0:0:0:0::/64',
    '': '',
  };
  for (const [address, network] of Object.entries(networks)) {
    it(`of ${address || 'a closed connection'} is ${network || 'empty'}`, () => {
      assert.equal(networkOf(address), network);
    });
  }

  it('distinguishes networks', () => {
    assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
  });
});
