import type { Scope } from '../../specs/operations/operation.ts';
import { appKeyRefused, lacksScope } from '../errors/access-errors.ts';
import type { Principal } from './principal.ts';

/** @throws ApiError 403 when the key lacks the scope. */
export function requireScope({ key }: Principal, scope: Scope): void {
  if (!key.scopes.includes(scope)) throw lacksScope(scope);
}

/** @throws ApiError 403 when an app key comes to what is for a tenant's own keys (SPEC.md, Authentication 6). */
export function requireFullKey({ key }: Principal): void {
  if (key.kind !== 'full') throw appKeyRefused();
}
