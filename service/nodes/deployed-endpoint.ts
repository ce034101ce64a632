import type { Deployment as StoredDeployment } from '../store/prepared/find-deployment.ts';

/** The fields that decide who may call a version, and where. */
type Deployment = Pick<StoredDeployment, 'visibility' | 'endpoint'>;

/** Reports whether a tenant may call the nodes of a version: its own versions, and versions of public packages. */
export function isVisible(deployment: Deployment | undefined, ownerId: string, callerId: string): boolean {
  return deployment?.visibility === 'public' || ownerId === callerId;
}

/**
 * Returns the endpoint of a version's containers, or `undefined` if the version is not deployed or not visible to the caller.
 *
 * @param callerId the calling tenant. For the generic node behind an Instance: the Instance's owner, who bound it.
 */
export function endpointFor(
  deployment: Deployment | undefined,
  ownerId: string,
  callerId: string,
): string | undefined {
  return isVisible(deployment, ownerId, callerId) ? (deployment?.endpoint ?? undefined) : undefined;
}
