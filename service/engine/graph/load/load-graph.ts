import { BoundedCache } from '../../../bounded-cache.ts';
import type { Database } from '../../../store/database.ts';
import { findGraph } from '../../../store/graphs.ts';
import type { CelCompiler } from '../../cel/cel-compiler.ts';
import type { CompiledGraph } from '../compiled-graph.ts';
import { linkGraph } from './link-graph.ts';
import { loadNodes } from './load-nodes.ts';
import type { LoadedGraph } from '../loaded-graph.ts';
import type { TypeRegistries } from '../../../nodes/type-registries.ts';

/** Loads the graphs that runs evaluate. A failed load is not cached, so the next call retries it. */
export interface GraphLoader {
  /** Returns `undefined` when the tenant has no such graph. */
  load(tenantId: string, graphId: string): Promise<LoadedGraph | undefined>;
}

/** Maximum number of graphs in the cache. */
const maxLoadedGraphs = 500;

interface LoaderOptions {
  db: Database;
  types: TypeRegistries;
  cel: CelCompiler;
}

/** Loads and caches compiled graphs, which never change. Concurrent runs share one load. */
export function createGraphLoader(options: LoaderOptions): GraphLoader {
  const loaded = new BoundedCache<string, Promise<LoadedGraph | undefined>>(maxLoadedGraphs);
  return {
    load: (tenantId, graphId) => {
      const key = `${tenantId}/${graphId}`;
      return loaded.getOrMake(key, () => {
        const loading = loadGraph(options, tenantId, graphId);
        const evict = (): void => {
          if (loaded.get(key) === loading) loaded.delete(key);
        };
        // Neither is cached: a missing graph may be compiled later, and a failed load may succeed when retried.
        loading.then((graph) => graph ?? evict(), evict);
        return loading;
      });
    },
  };
}

async function loadGraph(
  { db, types, cel }: LoaderOptions,
  tenantId: string,
  graphId: string,
): Promise<LoadedGraph | undefined> {
  const stored = await findGraph(db.knex, tenantId, graphId);
  if (!stored) return undefined;
  const graph = stored.compiled as unknown as CompiledGraph;
  return linkGraph(cel, graph, await loadNodes(db.knex, types, graph.nodes));
}
