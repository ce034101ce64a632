import { createHash } from 'node:crypto';
import { LargeNumber } from '../../../../specs/large-number.ts';
import type { GraphDocument } from '../../../../specs/operations/graph-shapes.ts';
import type { Json } from '../../../errors/api-error.ts';
import type { IdentifiedEdge } from './identify-edges.ts';
import type { Placement } from './resolve-placements.ts';

/**
 * Returns the canonical form of a flow: versions and nodes are pinned, ids of edges are filled in, and keys are
 * sorted. It is a valid document and always compiles to the same graph. It contains the defaults of the document's
 * schema, but not those that depend on a limit: `timeout_seconds` and `max_ms` stay absent, and a document that
 * spells out their defaults is another graph.
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
  });
}

/** Derives the id of a tenant's graph from its canonical document. Hex, so that no id starts with a hyphen. */
export function graphIdOf(tenantId: string, canonical: Json): string {
  const hash = createHash('sha256').update(JSON.stringify(['graph', tenantId, canonical]));
  return hash.digest('hex').slice(0, 40);
}

function sortKeys(value: unknown): Json {
  // Settings and mocks keep all digits of a number. A number that a double represents exactly has one notation.
  if (value instanceof LargeNumber) return value.canonical() as unknown as Json;
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, one]) => [key, sortKeys(one)]),
  );
}
