import * as operations from '../../../specs/operations/graphs.ts';
import type { CompiledGraph } from '../../engine/graph/compiled-graph.ts';
import { compileGraph, type CompileOptions } from '../../engine/graph/compile/compile-graph.ts';
import { drawMermaid } from '../../engine/graph/diagram/draw-mermaid.ts';
import { drawSvg } from '../../engine/graph/diagram/draw-svg.ts';
import { graphNotFound } from '../../errors/graph-errors.ts';
import { findGraph, type Graph, readGraphs } from '../../store/graphs.ts';
import type { FairQueue } from '../../work/fair-queue.ts';
import { bind, type Route } from '../bind.ts';
import { presentGraph, presentGraphDetail } from '../present/graph.ts';
import { presentParts } from '../present/parts.ts';
import { accepts } from '../request/accepts.ts';

interface GraphRouteOptions extends CompileOptions {
  /** Compilations and previews run one after the other: each yields, and many at once would fill every turn of the event loop. */
  expressions: Pick<FairQueue, 'run'>;
}

/** Compilation of flows, and compiled flows with their diagrams. */
export function graphRoutes({ expressions, ...options }: GraphRouteOptions): Route[] {
  const { knex } = options.db;
  const read = async (tenantId: string, id: string): Promise<Graph> => {
    const found = await findGraph(knex, tenantId, id);
    if (!found) throw graphNotFound();
    return found;
  };
  return [
    bind(operations.compileGraph).to(async ({ principal, body, signal }) => {
      const { id } = principal.tenant;
      const { graph, created } = await expressions.run(id, () => compileGraph(options, id, body), { signal });
      return { status: created ? 201 : 200, body: presentGraph(graph) };
    }),
    bind(operations.listGraphs).to(({ principal }) => {
      const graphs = readGraphs(knex, principal.tenant.id);
      return { status: 200, kind: 'list', body: presentParts(graphs, presentGraph) };
    }),
    bind(operations.getGraph).to(async ({ principal, params }) => {
      const graph = await read(principal.tenant.id, params.graph_id);
      return { status: 200, body: presentGraphDetail(graph) };
    }),
    bind(operations.getGraphDiagram).to(async ({ principal, params, query, headers }) => {
      const graph = await read(principal.tenant.id, params.graph_id);
      const compiled = graph.compiled as unknown as CompiledGraph;
      const format = query.format ?? (accepts(headers.accept, 'image/svg+xml') ? 'svg' : 'mermaid');
      const common = { Vary: 'Accept', 'X-Content-Type-Options': 'nosniff' };
      if (format === 'mermaid') {
        return {
          status: 200,
          kind: 'bytes',
          body: drawMermaid(compiled),
          contentType: 'text/plain; charset=utf-8',
          headers: common,
        };
      }
      return {
        status: 200,
        kind: 'bytes',
        body: drawSvg(compiled),
        contentType: 'image/svg+xml',
        headers: {
          ...common,
          // An SVG opened on its own is a document. It must not run scripts or load anything.
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
        },
      };
    }),
  ];
}
