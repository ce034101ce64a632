import { createHmac, timingSafeEqual } from 'node:crypto';

/** A pause and its tenant. */
interface PauseOfTenant {
  tenantId: string;
  /** Id of the pause. */
  id: string;
}

/** Tokens of links that decide on a pause without a key. They are not stored: each names its pause and is signed. */
export interface ResumeTokens {
  /** Returns `<tenant>.<pause>.<HMAC-SHA256>`. The signature has the form of an API key, which the log redacts in every line. */
  sign(pause: PauseOfTenant): string;
  /** Returns the pause that a token names, or `undefined` if this key did not sign it. */
  open(token: string): PauseOfTenant | undefined;
}

const form = /^([0-9A-Z]{26})\.([0-9A-Z]{26})\.([0-9a-f]{64})$/;

/** @param key 32 bytes, from `loadCurrentKey`; the tokens are signed with a key derived from it */
export function createResumeTokens(key: Uint8Array): ResumeTokens {
  const signingKey = createHmac('sha256', key).update('svc resume links').digest();
  const signatureOf = (name: string): Buffer => createHmac('sha256', signingKey).update(name).digest();
  return {
    sign: ({ tenantId, id }) => {
      const name = `${tenantId}.${id}`;
      return `${name}.${signatureOf(name).toString('hex')}`;
    },
    open: (token) => {
      const [, tenantId, id, signature] = form.exec(token) ?? [];
      if (tenantId === undefined || id === undefined || signature === undefined) return undefined;
      const isSigned = timingSafeEqual(signatureOf(`${tenantId}.${id}`), Buffer.from(signature, 'hex'));
      return isSigned ? { tenantId, id } : undefined;
    },
  };
}
