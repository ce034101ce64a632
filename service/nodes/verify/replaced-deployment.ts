import type { PackageVersionSummary } from '../../store/package-versions.ts';
import type { CheckedDeployment } from './check-deployment.ts';

/** Where a version was previously deployed. */
type Replaced = Pick<PackageVersionSummary, 'endpoint' | 'verification' | 'sealedToken'>;

/**
 * Adds a rollback instruction to the warnings of a deployment whose container does not respond, if it
 * replaces a deployment at another endpoint.
 */
export function withWayBack(checked: CheckedDeployment, replaced: Replaced): CheckedDeployment {
  const { endpoint, verification, sealedToken } = replaced;
  if (checked.verification !== 'pending' || endpoint === null || endpoint === checked.endpoint)
    return checked;
  const before = verification === 'verified' ? ', whose container was verified' : '';
  const token = sealedToken === null ? '' : ' with its token';
  const warning = `it replaces the deployment at ${endpoint}${before}: to go back, deploy the version there again${token}`;
  return { ...checked, warnings: [...checked.warnings, warning] };
}
