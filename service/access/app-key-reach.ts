import { appKeyGraphDenied } from '../errors/app-key-errors.ts';
import type { Principal } from './principal.ts';

/** @throws ApiError 403 with the name of the graph, if an app key may not use it */
export function requireGraph({ key }: Principal, graphId: string): void {
  if (key.kind === 'app' && !key.graphIds.includes(graphId)) throw appKeyGraphDenied(graphId);
}

/** Returns the id of the calling app key, or undefined for a full key, which may read all of its tenant's data. */
export function appKeyOf({ key }: Principal): string | undefined {
  return key.kind === 'app' ? key.id : undefined;
}
