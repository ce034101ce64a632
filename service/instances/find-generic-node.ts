import {
  genericNodeNotFound,
  genericPackageNotFound,
  genericVersionNotFound,
  invalidInstance,
} from '../errors/instance-errors.ts';
import { latestVersion } from '../nodes/latest-version.ts';
import type { Tx } from '../store/database.ts';
import { findNodeByName, type Node } from '../store/nodes.ts';
import { findPackageVersion, listPackageVersions, type PackageVersion } from '../store/package-versions.ts';
import { findPackage } from '../store/packages.ts';
import type { InstanceRequest, Port } from './instance-request.ts';

/** A generic node with its pinned version. */
export interface GenericNode {
  /** `<handle>/<name>` */
  packageName: string;
  version: PackageVersion;
  node: Node;
}

const ports: readonly Port[] = ['input', 'output'];

/**
 * Finds and pins the generic node of an Instance, and checks that the request binds exactly its generic ports.
 *
 * @throws ApiError 404 if the package, version or node does not exist or is private to another tenant, 400 for wrong bindings
 */
export async function findGenericNode(
  tx: Tx,
  tenantId: string,
  { generic, drafts }: Pick<InstanceRequest, 'generic' | 'drafts'>,
): Promise<GenericNode> {
  const version = await readableVersion(tx, tenantId, generic);
  const node = await findNodeByName(tx, version.tenantId, version.id, generic.node);
  const where = `${generic.package} ${version.version}`;
  if (!node) throw genericNodeNotFound(`${where} has no node "${generic.node}"`);
  if (node.kind !== 'generic') {
    throw invalidInstance(`node "${node.name}" of ${where} is not generic: call it directly`);
  }
  for (const port of ports) {
    const open = node.genericPorts.includes(port);
    if (open && drafts[port] === undefined) {
      throw invalidInstance(
        `the ${port} of node "${node.name}" is generic: bind it to a message draft in ${port}`,
      );
    }
    if (!open && drafts[port] !== undefined) {
      const given = port === 'input' ? node.inputMessage : node.outputMessage;
      throw invalidInstance(
        `the ${port} of node "${node.name}" is not generic, its message is ${given ?? 'fixed'}: omit ${port}`,
      );
    }
  }
  return { packageName: generic.package, version, node };
}

async function readableVersion(
  tx: Tx,
  tenantId: string,
  generic: InstanceRequest['generic'],
): Promise<PackageVersion> {
  const [handle = '', name = '', ...rest] = generic.package.split('/');
  const owner = rest.length === 0 ? await findPackage(tx, handle, name) : undefined;
  // A private package of another tenant looks like a missing one.
  if (!owner || (owner.visibility === 'private' && owner.tenantId !== tenantId))
    throw genericPackageNotFound();
  const requested = generic.version === '' || generic.version === 'latest' ? undefined : generic.version;
  const wanted =
    requested ??
    latestVersion((await listPackageVersions(tx, owner.tenantId, owner.id)).map((one) => one.version));
  const found = wanted && (await findPackageVersion(tx, owner.tenantId, owner.id, wanted));
  if (!found) throw genericVersionNotFound(generic.package, requested ?? 'latest');
  return found;
}
