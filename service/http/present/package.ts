import type { z } from 'zod';
import type {
  packageDetail,
  packageSummary,
  packageVersionDetail,
  publishedNode,
  publishedPackage,
} from '../../../specs/operations/package-shapes.ts';
import { isoTime } from '../../clock.ts';
import { latestVersion, newestFirst } from '../../nodes/latest-version.ts';
import type { Publication } from '../../nodes/publish-package.ts';
import type { Node } from '../../store/nodes.ts';
import type { PackageVersion, PackageVersionSummary } from '../../store/package-versions.ts';
import type { Package } from '../../store/packages.ts';

/** Presents the response to a publication. `verification` is omitted if it named no endpoint. */
export function presentPublication({
  package: owner,
  version,
  nodes,
  deployment,
}: Publication): z.input<typeof publishedPackage> {
  return {
    package_id: owner.id,
    name: fullName(owner),
    version: version.version,
    visibility: owner.visibility,
    nodes: nodes.map(presentNode),
    ...(deployment && { verification: deployment.verification }),
    warnings: deployment?.warnings ?? [],
  };
}

/** Presents a package as in lists. `latest_version` is empty if there are no versions. */
export function presentPackage(
  owner: Package,
  versions: readonly PackageVersionSummary[],
): z.input<typeof packageSummary> {
  return {
    package_id: owner.id,
    name: fullName(owner),
    description: owner.description,
    visibility: owner.visibility,
    latest_version: latestVersion(versions.map((one) => one.version)) ?? '',
    created_at: isoTime(owner.createdAt),
  };
}

interface Viewing {
  /** The caller is the tenant of the package. */
  isOwner: boolean;
  /** Set for a package of Instances, whose versions have no containers. Default: whether a version has an endpoint. */
  deployed: boolean | undefined;
}

/** Presents a package with its versions, the highest first. Only its owner sees endpoints. */
export function presentPackageDetail(
  owner: Package,
  versions: readonly PackageVersionSummary[],
  { isOwner, deployed }: Viewing,
): z.input<typeof packageDetail> {
  const byVersion = new Map(versions.map((one) => [one.version, one]));
  return {
    ...presentPackage(owner, versions),
    versions: newestFirst([...byVersion.keys()]).map((version) => {
      const found = byVersion.get(version);
      return {
        version,
        description: found?.description ?? '',
        deployed: deployed ?? found?.endpoint != null,
        ...presentEndpoint(found, isOwner),
        ...presentVerification(found),
        created_at: isoTime(found?.createdAt ?? 0),
      };
    }),
  };
}

/** Presents a version with its nodes and sources. Only its owner sees the endpoint, and whether a token is set. */
export function presentPackageVersion(
  owner: Package,
  version: PackageVersion,
  nodes: readonly Node[],
  { isOwner, deployed }: Viewing,
): z.input<typeof packageVersionDetail> {
  return {
    package_id: owner.id,
    name: fullName(owner),
    version: version.version,
    description: version.description,
    visibility: owner.visibility,
    deployed: deployed ?? version.endpoint !== null,
    ...presentEndpoint(version, isOwner),
    ...(isOwner && { token_set: version.sealedToken !== null }),
    ...presentVerification(version),
    created_at: isoTime(version.createdAt),
    nodes: nodes.map((node) => ({
      ...presentNode(node),
      generic: node.genericPorts,
      description: node.description,
      required_secrets: node.requiredSecrets,
    })),
    protos: version.protos,
  };
}

/** The endpoints of a tenant's containers are private to it. */
function presentEndpoint(
  version: PackageVersionSummary | undefined,
  isOwner: boolean,
): Pick<z.input<typeof packageVersionDetail>, 'endpoint'> {
  return isOwner && version?.endpoint != null ? { endpoint: version.endpoint } : {};
}

/** A version of Instances has no endpoint, nor does a version that is not deployed. */
function presentVerification(
  version: PackageVersionSummary | undefined,
): Pick<z.input<typeof packageVersionDetail>, 'verification'> {
  return version?.endpoint == null ? {} : { verification: version.verification ?? 'pending' };
}

function presentNode(node: Node): z.input<typeof publishedNode> {
  return {
    node_ulid: node.id,
    name: node.name,
    mode: node.mode,
    kind: node.kind,
    ...(node.inputMessage === null ? {} : { input_message: node.inputMessage }),
    ...(node.outputMessage === null ? {} : { output_message: node.outputMessage }),
  };
}

function fullName(owner: Package): string {
  return `${owner.handle}/${owner.name}`;
}
