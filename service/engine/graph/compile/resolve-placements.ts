import type { GraphDocumentNode } from '../../../../specs/operations/graph-shapes.ts';
import { latestVersion, newestFirst } from '../../../nodes/latest-version.ts';
import type { Tx } from '../../../store/database.ts';
import { nameList, noSuchNodeText } from '../../../errors/name-list.ts';
import { similarNames } from '../../../errors/similar-names.ts';
import { findNodeByUlid, listNodes, type Node } from '../../../store/nodes.ts';
import { listPackageVersions, type PackageVersionSummary } from '../../../store/package-versions.ts';
import { findPackage, listMeantPackages, type Package } from '../../../store/packages.ts';
import { loopTurns } from '../../../work/turn-budget.ts';
import type { Diagnostic } from '../diagnostic.ts';

/** A node of the document with its package version and node, both pinned. */
export interface Placement {
  placed: GraphDocumentNode;
  /** `<handle>/<package>` */
  packageName: string;
  version: PackageVersionSummary;
  node: Node;
}

/** Maximum number of unknown packages in a document for which similar names are suggested. */
const maxCorrected = 5;

interface Resolution {
  /** In document order, without placements that have a problem. */
  placements: Placement[];
  problems: Diagnostic[];
}

/** Resolves the package, version and node of every placement among the tenant's own packages and the public ones. */
export async function resolvePlacements(
  tx: Tx,
  tenantId: string,
  nodes: readonly GraphDocumentNode[],
): Promise<Resolution> {
  const catalog = createCatalog(tx, tenantId);
  const resolution: Resolution = { placements: [], problems: [] };
  for (const placed of nodes) {
    // SQLite queries are synchronous, so without this the loop would block the event loop.
    await loopTurns.yieldIfSpent();
    const found = await resolve(tx, catalog, placed);
    if ('node' in found) resolution.placements.push(found);
    else {
      const message = `node "${placed.id}": ${found.message}`;
      resolution.problems.push({ code: found.code, node: placed.id, message });
    }
  }
  return resolution;
}

type Catalog = ReturnType<typeof createCatalog>;

interface Unresolved {
  code: string;
  message: string;
}

async function resolve(tx: Tx, catalog: Catalog, placed: GraphDocumentNode): Promise<Placement | Unresolved> {
  const packageName = placed.package;
  const { node_name: name, node_ulid: ulid } = placed;
  if (!name && !ulid) return { code: 'missing_node_name', message: 'node_name or node_ulid is required' };
  const owner = await catalog.package(packageName);
  if (!owner) {
    const similar = await catalog.similar(packageName);
    const hint = similar.length === 0 ? '' : `: similar names are ${similar.join(', ')}`;
    return { code: 'unknown_package', message: `package "${packageName}" not found${hint}` };
  }
  const byUlid = ulid ? await findNodeByUlid(tx, ulid) : undefined;
  const versions = await catalog.versions(owner);
  const version = pinVersion(placed, versions, byUlid);
  if (!version) {
    const requested = placed.version === '' ? 'latest' : placed.version;
    const names = versions.newestFirst();
    const hint = names.length === 0 ? '' : `: it has ${nameList(names)}`;
    return { code: 'unknown_version', message: `${packageName} has no version "${requested}"${hint}` };
  }
  const nodes = await catalog.nodes(version);
  const node = nodes.find((one) => (ulid ? one.id === ulid : true) && (name ? one.name === name : true));
  if (!node) {
    return {
      code: 'unknown_node',
      message: noSuchNodeText(
        `${packageName} ${version.version}`,
        { name, ulid },
        nodes.map((one) => one.name),
      ),
    };
  }
  return { placed, packageName, version, node };
}

/**
 * The version to pin: the requested one. Without a requested version, the version that holds the node with the given ULID, else the
 * latest.
 */
function pinVersion(
  { version: requested }: GraphDocumentNode,
  versions: Versions,
  byUlid: Node | undefined,
): PackageVersionSummary | undefined {
  const own = byUlid && versions.byId.get(byUlid.versionId);
  if (requested === '' && own) return own;
  const wanted = requested === '' || requested === 'latest' ? versions.latest() : requested;
  return wanted === undefined ? undefined : versions.byName.get(wanted);
}

/** The versions of a package. There may be thousands, so they are compared at most once for all placements. */
type Versions = ReturnType<typeof versionsOf>;

function versionsOf(versions: readonly PackageVersionSummary[]) {
  const byName = new Map(versions.map((one) => [one.version, one]));
  let sorted: string[] | undefined;
  let latest: string | undefined;
  return {
    byName,
    byId: new Map(versions.map((one) => [one.id, one])),
    newestFirst: (): string[] => (sorted ??= newestFirst([...byName.keys()])),
    latest: () => (latest ??= latestVersion([...byName.keys()])),
  };
}

/** Reads every package and version at most once. */
function createCatalog(tx: Tx, tenantId: string) {
  const packages = new Map<string, Package | undefined>();
  const versions = new Map<string, Versions>();
  const nodes = new Map<string, Node[]>();
  const similar = new Map<string, string[]>();
  return {
    package: (fullName: string) =>
      once(packages, fullName, async () => {
        const [handle = '', name = ''] = fullName.split('/');
        const found = await findPackage(tx, handle, name);
        // Another tenant's private package behaves like one that does not exist.
        return found?.visibility === 'private' && found.tenantId !== tenantId ? undefined : found;
      }),
    /**
     * Returns similar names of packages that the tenant can read. Looks up at most `maxCorrected` names, because a
     * document may contain hundreds.
     */
    similar: (fullName: string) =>
      once(similar, fullName, async () => {
        if (similar.size >= maxCorrected) return [];
        const [handle = '', name = ''] = fullName.split('/');
        return similarNames(fullName, await listMeantPackages(tx, tenantId, { handle, name }));
      }),
    versions: (owner: Package) =>
      once(versions, owner.id, async () =>
        versionsOf(await listPackageVersions(tx, owner.tenantId, owner.id)),
      ),
    nodes: (version: PackageVersionSummary) =>
      once(nodes, version.id, () => listNodes(tx, version.tenantId, version.id)),
  };
}

async function once<V>(cache: Map<string, V>, key: string, read: () => Promise<V>): Promise<V> {
  if (cache.has(key)) return cache.get(key) as V;
  const value = await read();
  cache.set(key, value);
  return value;
}
