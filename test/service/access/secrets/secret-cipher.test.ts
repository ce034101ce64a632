import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { openSecret, sealSecret } from '../../../../service/access/secrets/secret-cipher.ts';

describe('encryption of secrets', () => {
  const key = randomBytes(32);
  const owner = { tenantId: 't1', name: 'TOKEN' };

  it('is reversible, and different each time', () => {
    for (const value of ['', 'x', 'ß😀\u0000', 'long '.repeat(10_000)]) {
      const [one, two] = [sealSecret(key, owner, value), sealSecret(key, owner, value)];
      assert.equal(openSecret(key, owner, one), value);
      assert.notDeepEqual(one, two);
    }
    assert.ok(!Buffer.from(sealSecret(key, owner, 'plain text')).includes('plain text'));
  });

  it('is bound to the tenant, the name and the key', () => {
    const sealed = sealSecret(key, owner, 'value');
    assert.equal(openSecret(key, { ...owner, tenantId: 't2' }, sealed), undefined);
    assert.equal(openSecret(key, { ...owner, name: 'OTHER' }, sealed), undefined);
    assert.equal(openSecret(key, { tenantId: 't', name: '1TOKEN' }, sealed), undefined);
    assert.equal(openSecret(randomBytes(32), owner, sealed), undefined);
  });

  it('detects modified and missing bytes', () => {
    const sealed = sealSecret(key, owner, 'value');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed);
      changed[at]! ^= 1;
      assert.equal(openSecret(key, owner, changed), undefined, `byte ${at}`);
      assert.equal(openSecret(key, owner, sealed.subarray(0, at)), undefined, `${at} bytes`);
    }
  });
});
