import type { Database } from '../database.ts';
import type { Package } from '../packages.ts';
import { prepareQuery } from './prepared-query.ts';

/** The mutable part of a published version: its visibility and endpoint. */
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

/** Reads the deployment of a version by an index. */
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
