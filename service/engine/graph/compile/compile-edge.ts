import type { CompiledEdge } from '../compiled-graph.ts';
import type { IdentifiedEdge } from './identify-edges.ts';

/** Returns the compiled form of an edge, without keys for an absent condition or adapter. */
export function compileEdge({ id, from, to, condition, adapter }: IdentifiedEdge): CompiledEdge {
  return {
    id,
    from,
    to,
    ...(condition !== undefined && { condition }),
    ...(adapter !== undefined && { adapter }),
  };
}
