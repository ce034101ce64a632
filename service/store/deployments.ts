import type { Tx } from './database.ts';
import type { Package } from './packages.ts';

/** What may change of a published version: who sees it, and where its containers answer. */
export interface Deployment {
  visibility: Package['visibility'];
  /** `grpc://host:port`; `null`: not deployed. */
  endpoint: string | null;
}

/** One indexed read, made on every call of a node. */
export async function findDeployment(
  tx: Tx,
  tenantId: string,
  versionId: string,
): Promise<Deployment | undefined> {
  return tx('package_versions')
    .join('packages', (join) =>
      join
        .on('packages.tenant_id', 'package_versions.tenant_id')
        .andOn('packages.id', 'package_versions.package_id'),
    )
    .where({ 'package_versions.tenant_id': tenantId, 'package_versions.id': versionId })
    .first<Deployment | undefined>('packages.visibility', 'package_versions.endpoint');
}
