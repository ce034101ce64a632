import type { CompiledEdge } from '../compiled-graph.ts';
import type { IdentifiedEdge } from './identify-edges.ts';

export function compileEdge({ id, from, to, condition, adapter }: IdentifiedEdge): CompiledEdge {
  return {
    id,
    from,
    to,
    ...(condition !== undefined && { condition }),
    ...(adapter !== undefined && { adapter }),
  };
}
