import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Identifies an encrypted value. The bytes are bound to it, so rows cannot be swapped. */
export interface SealedOwner {
  tenantId: string;
  name: string;
}

/** Identifies the token of a version's deployment. Secret names contain no colon, so a token cannot take the place of a secret. */
export function tokenOwner({ tenantId, id }: { tenantId: string; id: string }): SealedOwner {
  return { tenantId, name: `deployment:${id}` };
}

const algorithm = 'aes-256-gcm';
const format = 1;
const sizes = { key: 32, iv: 12, tag: 16 };

/** Encrypts a value with AES-256-GCM. Layout: format (1 byte), nonce (12), tag (16), ciphertext. */
export function sealSecret(key: Uint8Array, owner: SealedOwner, value: string): Uint8Array {
  const iv = randomBytes(sizes.iv);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(context(owner));
  const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([Uint8Array.of(format), iv, cipher.getAuthTag(), text]);
}

/** Decrypts a value. Returns undefined if the key or the owner differs, or if the bytes were changed. */
export function openSecret(key: Uint8Array, owner: SealedOwner, sealed: Uint8Array): string | undefined {
  const [ivEnd, tagEnd] = [1 + sizes.iv, 1 + sizes.iv + sizes.tag];
  if (sealed[0] !== format || sealed.length < tagEnd) return undefined;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(1, ivEnd), {
    authTagLength: sizes.tag,
  });
  decipher.setAAD(context(owner)).setAuthTag(sealed.subarray(ivEnd, tagEnd));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function context({ tenantId, name }: SealedOwner): Buffer {
  return Buffer.from(JSON.stringify([tenantId, name]));
}
