import type { NodeTargets } from '../../../nodes/call/target.ts';
import { loopTurns } from '../../../work/turn-budget.ts';
import type { CompiledNode } from '../compiled-graph.ts';
import type { Diagnostic } from '../diagnostic.ts';

/** Warns about every node that no container serves at present. Mocked nodes need none. */
export async function warnOfUndeployed(
  targets: Pick<NodeTargets, 'find'>,
  tenantId: string,
  nodes: readonly CompiledNode[],
): Promise<Diagnostic[]> {
  const warnings: Diagnostic[] = [];
  for (const node of nodes) {
    // SQLite queries are synchronous, so without this the loop would block the event loop.
    await loopTurns.yieldIfSpent();
    if (node.mock || (await targets.find(node, tenantId))) continue;
    warnings.push({
      code: 'undeployed_node',
      node: node.id,
      message: `node "${node.id}": no container is deployed for ${node.packageName} ${node.version}: deploy one before the flow runs`,
    });
  }
  return warnings;
}
