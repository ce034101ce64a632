import { hash } from 'node:crypto';
import type { Ids } from '../ids.ts';
import type { ApiKey } from '../store/api-keys.ts';

const appKeyPrefix = 'svcapp_';
const secretBytes = 32;

/** A raw key: 64 hex characters, preceded by a prefix in app keys. */
const keyPattern = /^(?:svcapp_)?[0-9a-f]{64}$/;

/** Generates a raw key. */
export function makeSecret(ids: Ids, kind: ApiKey['kind']): string {
  return (kind === 'app' ? appKeyPrefix : '') + ids.hex(secretBytes);
}

/** Returns the SHA-256 of a raw key as lower-case hex. Only this hash is stored. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Returns the raw key of an `Authorization: Bearer <key>` header, or undefined for any other header. The scheme ignores case. */
export function secretFrom(authorization: string | undefined): string | undefined {
  const secret = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return secret !== undefined && keyPattern.test(secret) ? secret : undefined;
}
