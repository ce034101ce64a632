import type { Tx } from '../../../store/database.ts';
import { loopTurns } from '../../../work/turn-budget.ts';
import type { CompiledNode, NodeMock } from '../compiled-graph.ts';
import type { LoadedMock, LoadedNode } from '../loaded-graph.ts';
import { nodeTypes } from '../node-types.ts';
import type { TypeRegistries } from '../../../nodes/type-registries.ts';

/** Links nodes to the types of their package versions. Returns them by id. */
export async function loadNodes(
  tx: Tx,
  types: TypeRegistries,
  compiled: readonly CompiledNode[],
): Promise<Map<string, LoadedNode>> {
  const nodes = new Map<string, LoadedNode>();
  for (const node of compiled) {
    // SQLite queries are synchronous, so without this the loop would block the event loop.
    await loopTurns.yieldIfSpent();
    const messages = [node.inputMessage, node.outputMessage];
    const registry = await types.registry(tx, node.ownerTenantId, node.versionId, messages);
    const mock = node.mock && loadMock(node.mock);
    nodes.set(node.id, { ...nodeTypes(node, registry), compiled: node, mock });
  }
  return nodes;
}

function loadMock(mock: NodeMock): LoadedMock {
  if ('error' in mock) return { kind: 'error', error: mock.error };
  if ('output' in mock) return { kind: 'output', output: fromBase64(mock.output) };
  return { kind: 'frames', frames: mock.frames.map(fromBase64) };
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
