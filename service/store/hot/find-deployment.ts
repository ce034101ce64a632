import type { Database } from '../database.ts';
import type { Package } from '../packages.ts';
import { prepareQuery } from './prepared-query.ts';

/** What may change of a published version: who sees it, and where its containers answer. */
export interface Deployment {
  visibility: Package['visibility'];
  /** `grpc://host:port`; `null`: not deployed. */
  endpoint: string | null;
}

const query = prepareQuery(
  `select packages.visibility, package_versions.endpoint
   from package_versions join packages
     on packages.tenant_id = package_versions.tenant_id and packages.id = package_versions.package_id
   where package_versions.tenant_id = ? and package_versions.id = ?`,
);

/** One indexed read, made on every call of a node. */
export async function findDeployment(
  db: Database,
  tenantId: string,
  versionId: string,
): Promise<Deployment | undefined> {
  const [row] = await query(db, [tenantId, versionId]);
  return (
    row && { visibility: row.visibility as Package['visibility'], endpoint: row.endpoint as string | null }
  );
}
