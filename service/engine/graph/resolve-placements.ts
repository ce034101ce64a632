import type { GraphDocumentNode } from '../../../specs/operations/graph-shapes.ts';
import { latestVersion } from '../../nodes/latest-version.ts';
import type { Tx } from '../../store/database.ts';
import { findNodeByUlid, listNodes, type Node } from '../../store/nodes.ts';
import { listPackageVersions, type PackageVersionSummary } from '../../store/package-versions.ts';
import { findPackage, type Package } from '../../store/packages.ts';
import type { Diagnostic } from './diagnostic.ts';

/** A placed node with what it names found and pinned. */
export interface Placement {
  placed: GraphDocumentNode;
  /** `<handle>/<package>` */
  packageName: string;
  version: PackageVersionSummary;
  node: Node;
}

export interface Resolution {
  /** In the document's order; those with a problem are left out. */
  placements: Placement[];
  problems: Diagnostic[];
}

/** Finds what every placement names, as the tenant may see it: its own packages and public ones. */
export async function resolvePlacements(
  tx: Tx,
  tenantId: string,
  nodes: readonly GraphDocumentNode[],
): Promise<Resolution> {
  const catalog = readOnce(tx, tenantId);
  const resolution: Resolution = { placements: [], problems: [] };
  for (const placed of nodes) {
    const found = await resolve(tx, catalog, placed);
    if ('node' in found) resolution.placements.push(found);
    else {
      const message = `node "${placed.id}": ${found.message}`;
      resolution.problems.push({ code: found.code, node: placed.id, message });
    }
  }
  return resolution;
}

type Catalog = ReturnType<typeof readOnce>;

interface Unresolved {
  code: string;
  message: string;
}

async function resolve(tx: Tx, catalog: Catalog, placed: GraphDocumentNode): Promise<Placement | Unresolved> {
  const packageName = placed.package;
  const { node_name: name, node_ulid: ulid } = placed;
  if (!name && !ulid) return { code: 'missing_node_name', message: 'node_name or node_ulid is required' };
  const owner = await catalog.package(packageName);
  if (!owner) return { code: 'unknown_package', message: `package "${packageName}" not found` };
  const byUlid = ulid ? await findNodeByUlid(tx, ulid) : undefined;
  const versions = await catalog.versions(owner);
  const version = pinned(placed, versions, byUlid);
  if (!version) {
    const asked = placed.version === '' ? 'latest' : placed.version;
    return { code: 'unknown_version', message: `${packageName} has no version "${asked}"` };
  }
  const nodes = await catalog.nodes(version);
  const node = nodes.find((one) => (ulid ? one.id === ulid : true) && (name ? one.name === name : true));
  if (!node) {
    const asked = [name, ulid].filter(Boolean).join(' / ');
    return {
      code: 'unknown_node',
      message: `${packageName} ${version.version} has no node "${asked}": it has ${some(nodes.map((one) => one.name))}`,
    };
  }
  return { placed, packageName, version, node };
}

/**
 * The version to pin: the one asked for; with none asked for the one that the ULID belongs to, else the latest (SPEC.md,
 * Versioning 3).
 */
function pinned(
  { version: asked }: GraphDocumentNode,
  versions: readonly PackageVersionSummary[],
  byUlid: Node | undefined,
): PackageVersionSummary | undefined {
  const own = versions.find((one) => one.id === byUlid?.versionId);
  if (asked === '' && own) return own;
  const wanted =
    asked === '' || asked === 'latest' ? latestVersion(versions.map((one) => one.version)) : asked;
  return versions.find((one) => one.version === wanted);
}

/** Reads each package and version once, however many nodes of it a flow places. */
function readOnce(tx: Tx, tenantId: string) {
  const packages = new Map<string, Package | undefined>();
  const versions = new Map<string, PackageVersionSummary[]>();
  const nodes = new Map<string, Node[]>();
  return {
    package: (fullName: string) =>
      once(packages, fullName, async () => {
        const [handle = '', name = ''] = fullName.split('/');
        const found = await findPackage(tx, handle, name);
        // A private package of somebody else is answered as one that does not exist.
        return found?.visibility === 'private' && found.tenantId !== tenantId ? undefined : found;
      }),
    versions: (owner: Package) =>
      once(versions, owner.id, () => listPackageVersions(tx, owner.tenantId, owner.id)),
    nodes: (version: PackageVersionSummary) =>
      once(nodes, version.id, () => listNodes(tx, version.tenantId, version.id)),
  };
}

async function once<V>(known: Map<string, V>, key: string, read: () => Promise<V>): Promise<V> {
  if (known.has(key)) return known.get(key) as V;
  const value = await read();
  known.set(key, value);
  return value;
}

/** A few names, for a message. */
function some(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
