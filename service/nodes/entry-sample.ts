import type { JsonValue } from '@bufbuild/protobuf';
import type { Tx } from '../store/database.ts';
import { findNodeByUlid } from '../store/nodes.ts';

/** Returns the sample of a flow's input, which is its entry node's sample. */
export async function entrySample(
  tx: Tx,
  { nodes, entry }: { nodes: readonly { id: string; nodeUlid: string }[]; entry: string },
): Promise<JsonValue | null> {
  const first = nodes.find(({ id }) => id === entry);
  const node = first && (await findNodeByUlid(tx, first.nodeUlid));
  return node?.sample ?? null;
}
