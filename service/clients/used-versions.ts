import type { CompiledGraph } from '../engine/graph/compiled-graph.ts';
import type { ClientMember } from '../store/client-members.ts';
import type { Tx } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';
import { versionOfNode } from './snapshot-members.ts';
import { loopTurns } from '../work/turn-budget.ts';

/** A package version whose messages a client member accepts or returns. */
export interface UsedVersion {
  alias: string;
  /** `<handle>/<name>` */
  package: string;
  version: string;
}

/**
 * Returns the package versions of the members, in their order: one for a node, and the versions of entry and terminal for a flow.
 */
export async function usedVersions(tx: Tx, members: readonly ClientMember[]): Promise<UsedVersion[]> {
  const used: UsedVersion[] = [];
  for (const { tenantId, alias, artifactId, packageName, packageVersion } of members) {
    await loopTurns.yieldIfSpent();
    if (packageName !== null && packageVersion !== null) {
      used.push({ alias, package: packageName, version: packageVersion });
    }
    const graph = artifactId === null ? undefined : await findGraph(tx, tenantId, artifactId);
    if (!graph) continue;
    // Only the compiler writes this column.
    const compiled = graph.compiled as unknown as CompiledGraph;
    for (const nodeId of [compiled.entry, compiled.terminal]) {
      const { package: name, version } = versionOfNode(compiled, nodeId);
      used.push({ alias, package: name, version });
    }
  }
  return used;
}
