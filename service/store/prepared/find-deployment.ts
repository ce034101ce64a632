import type { Package } from '../packages.ts';
import { coalesceReads } from './coalesce-reads.ts';
import { prepareQuery } from './prepared-query.ts';

/** The parts of a published version that its callers need: its name, and its mutable visibility, endpoint and token. */
export interface Deployment {
  package: {
    /** `<handle>/<name>` */
    name: string;
    version: string;
    /** Owner of the package. */
    tenantId: string;
    versionId: string;
  };
  visibility: Package['visibility'];
  /** `grpc://host:port`, or `null` if the version is not deployed. */
  endpoint: string | null;
  /** The encrypted token of the deployment. */
  sealedToken: Uint8Array | null;
}

const query = prepareQuery(
  `select packages.visibility, package_versions.endpoint, package_versions.sealed_token, packages.handle, packages.name, package_versions.version
   from package_versions join packages
     on packages.tenant_id = package_versions.tenant_id and packages.id = package_versions.package_id
   where package_versions.tenant_id = ? and package_versions.id = ? and package_versions.deleted_at is null`,
);

/** Reads the deployment of a version through an index. A deleted version has none. Concurrent calls share one read. */
export const findDeployment = coalesceReads(
  async (db, tenantId: string, versionId: string): Promise<Deployment | undefined> => {
    const [row] = await query(db, [tenantId, versionId]);
    if (!row) return undefined;
    const name = `${row.handle as string}/${row.name as string}`;
    return {
      package: { name, version: row.version as string, tenantId, versionId },
      visibility: row.visibility as Package['visibility'],
      endpoint: row.endpoint as string | null,
      sealedToken: row.sealed_token as Uint8Array | null,
    };
  },
);
