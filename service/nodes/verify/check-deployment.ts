import { containerServesOther } from '../../errors/package-errors.ts';
import type { Verification } from '../../store/package-versions.ts';
import type { ContainerAccess, ContainerPool } from '../container/container-pool.ts';
import { detailOf } from '../container/invoke-outcome.ts';
import { packageDifference } from './package-difference.ts';
import type { PublishedContent } from './published-content.ts';

/** What is known about the container at an endpoint before a version is deployed there. */
export interface CheckedDeployment {
  endpoint: string;
  verification: Verification;
  /** For the publisher: the reasons why the container could not be verified. */
  warnings: string[];
}

/**
 * Asks the container at an endpoint what it serves. A container that does not respond is accepted, because it
 * may start later. It is asked again on the first connection.
 *
 * @throws ApiError 409 if it serves something else
 */
export async function checkDeployment(
  containers: Pick<ContainerPool, 'describe'>,
  { endpoint, ...access }: ContainerAccess & { endpoint: string },
  published: PublishedContent,
): Promise<CheckedDeployment> {
  const description = await containers.describe(endpoint, access);
  switch (description.kind) {
    case 'described': {
      const difference = packageDifference(published, description.packages);
      if (difference !== undefined) throw containerServesOther(endpoint, difference);
      return { endpoint, verification: 'verified', warnings: [] };
    }
    case 'not_offered':
      return { endpoint, verification: 'unverified', warnings: [] };
    case 'unreachable':
      return {
        endpoint,
        verification: 'pending',
        warnings: [
          `the container at ${endpoint} could not be verified (${detailOf(description)}): calls fail until one that serves the version answers there`,
        ],
      };
  }
}
