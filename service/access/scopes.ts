import type { Scope } from '../../specs/operations/operation.ts';
import { appKeyRefused, lacksScope } from '../errors/access-errors.ts';
import type { Principal } from './principal.ts';

/** @throws ApiError 403 if the key lacks the scope */
export function requireScope({ key }: Principal, scope: Scope): void {
  if (!key.scopes.includes(scope)) throw lacksScope(scope);
}

/** @throws ApiError 403 for an app key */
export function requireFullKey({ key }: Principal): void {
  if (key.kind !== 'full') throw appKeyRefused();
}
