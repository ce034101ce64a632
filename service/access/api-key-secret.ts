import { hash } from 'node:crypto';
import type { Ids } from '../ids.ts';
import type { ApiKey } from '../store/api-keys.ts';

const appKeyPrefix = 'svcapp_';
const secretBytes = 32;

/** What a raw key looks like: 64 hex characters, an app key with its prefix before them (SPEC.md, Limits). */
const keyPattern = /^(?:svcapp_)?[0-9a-f]{64}$/;

/** A new raw key. */
export function makeSecret(ids: Ids, kind: ApiKey['kind']): string {
  return (kind === 'app' ? appKeyPrefix : '') + ids.hex(secretBytes);
}

/** What is stored of a raw key, and looked up: its SHA-256 as lower-case hex. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/**
 * The raw key of an `Authorization: Bearer <key>` header, or `undefined` when the header is not of that form. The scheme's
 * name may be in any case, as HTTP wants it.
 */
export function secretFrom(authorization: string | undefined): string | undefined {
  const secret = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return secret !== undefined && keyPattern.test(secret) ? secret : undefined;
}
