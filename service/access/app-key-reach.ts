import { appKeyGraphDenied } from '../errors/app-key-errors.ts';
import type { Principal } from './principal.ts';

/** @throws ApiError 403 naming the graph, when an app key was not minted for it (SPEC.md, Authentication 6). */
export function requireGraph({ key }: Principal, graphId: string): void {
  if (key.kind === 'app' && !key.graphIds.includes(graphId)) throw appKeyGraphDenied(graphId);
}

/** The app key that presents itself; `undefined` for a full key, which may see whatever its tenant has. */
export function appKeyOf({ key }: Principal): string | undefined {
  return key.kind === 'app' ? key.id : undefined;
}
