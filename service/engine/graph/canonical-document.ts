import { createHash } from 'node:crypto';
import type { GraphDocument } from '../../../specs/operations/graph-shapes.ts';
import type { Json } from '../../errors/api-error.ts';
import type { IdentifiedEdge } from './edges.ts';
import type { Placement } from './resolve-placements.ts';

/**
 * The one form of everything that means the same flow: versions and nodes pinned, edges named, defaults filled in, keys sorted.
 * It is a document itself, and compiles to the same graph for good.
 */
export function canonicalDocument(
  document: GraphDocument,
  placements: readonly Placement[],
  edges: readonly IdentifiedEdge[],
): Json {
  return sortKeys({
    ...document,
    nodes: placements.map(({ placed, version, node }) => ({
      ...placed,
      version: version.version,
      node_name: node.name,
      node_ulid: node.id,
    })),
    edges,
  } as unknown as Json);
}

/** Id of a tenant's graph: the same document has the same one, another tenant's has another. Hex, so no id looks like a flag. */
export function graphIdOf(tenantId: string, canonical: Json): string {
  const hash = createHash('sha256').update(JSON.stringify(['graph', tenantId, canonical]));
  return hash.digest('hex').slice(0, 40);
}

function sortKeys(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, one]) => [key, sortKeys(one)]),
  );
}
