import assert from 'node:assert/strict';
import '../../../../service/messages/convert/fast-base64.ts';

interface Base64Options {
  alphabet?: 'base64' | 'base64url';
  omitPadding?: boolean;
}

/** The types of the compiler do not have the method yet. */
type Encodable = Uint8Array & { toBase64: (options?: Base64Options) => string };

describe('base64 of bytes', () => {
  const encode = (bytes: Uint8Array, options?: Base64Options): string =>
    (bytes as Encodable).toBase64(options);
  const bytes = Uint8Array.of(0, 251, 255, 191, 1).subarray(1);

  it('uses the standard alphabet and padding by default', () => {
    assert.equal(encode(bytes), '+/+/AQ==');
    assert.equal(encode(new Uint8Array(0)), '');
  });

  it('supports the standard options', () => {
    assert.equal(encode(bytes, { omitPadding: true }), '+/+/AQ');
    assert.equal(encode(bytes, { alphabet: 'base64url' }), '-_-_AQ==');
    assert.equal(encode(bytes, { alphabet: 'base64url', omitPadding: true }), '-_-_AQ');
  });
});
