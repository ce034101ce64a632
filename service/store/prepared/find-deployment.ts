import type { Database } from '../database.ts';
import type { Package } from '../packages.ts';
import { prepareQuery } from './prepared-query.ts';

/** The mutable part of a published version: its visibility, endpoint and token. */
export interface Deployment {
  visibility: Package['visibility'];
  /** `grpc://host:port`; `null`: not deployed. */
  endpoint: string | null;
  /** The encrypted token of the deployment. */
  sealedToken: Uint8Array | null;
  /** Handle of the owner. */
  handle: string;
}

const query = prepareQuery(
  `select packages.visibility, packages.handle, package_versions.endpoint, package_versions.sealed_token
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
    row && {
      visibility: row.visibility as Package['visibility'],
      endpoint: row.endpoint as string | null,
      sealedToken: row.sealed_token as Uint8Array | null,
      handle: row.handle as string,
    }
  );
}
