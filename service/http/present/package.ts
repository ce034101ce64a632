import type { z } from 'zod';
import type {
  packageDetail,
  packageSummary,
  packageVersionDetail,
  publishedNode,
  publishedPackage,
} from '../../../specs/operations/package-shapes.ts';
import { isoTime } from '../../clock.ts';
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

/**
 * Presents a package as in lists.
 *
 * @param latest the version that `latest` names; undefined without versions
 */
export function presentPackage(owner: Package, latest: string | undefined): z.input<typeof packageSummary> {
  return {
    package_id: owner.id,
    name: fullName(owner),
    description: owner.description,
    visibility: owner.visibility,
    latest_version: latest ?? '',
    created_at: isoTime(owner.createdAt),
  };
}

interface Viewing {
  /** The caller is the tenant of the package. */
  isOwner: boolean;
  /** Set for a package of Instances, whose versions have no containers. Default: whether a version has an endpoint. */
  deployed: boolean | undefined;
}

/** Presents a version as in the list of its package. Only the owner sees the endpoint. */
export function presentListedVersion(
  version: PackageVersionSummary,
  { isOwner, deployed }: Viewing,
): z.input<typeof packageDetail>['versions'][number] {
  return {
    version: version.version,
    description: version.description,
    deployed: deployed ?? version.endpoint !== null,
    ...presentEndpoint(version, isOwner),
    ...presentVerification(version),
    created_at: isoTime(version.createdAt),
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
  version: PackageVersionSummary,
  isOwner: boolean,
): Pick<z.input<typeof packageVersionDetail>, 'endpoint'> {
  return isOwner && version.endpoint !== null ? { endpoint: version.endpoint } : {};
}

/** A version of Instances has no endpoint, nor does a version that is not deployed. */
function presentVerification(
  version: PackageVersionSummary,
): Pick<z.input<typeof packageVersionDetail>, 'verification'> {
  return version.endpoint === null ? {} : { verification: version.verification ?? 'pending' };
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
