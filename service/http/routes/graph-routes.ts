import * as operations from '../../../specs/operations/graphs.ts';
import type { CompiledGraph } from '../../engine/graph/compiled-graph.ts';
import { compileGraph, type CompileOptions } from '../../engine/graph/compile/compile-graph.ts';
import { drawMermaid } from '../../engine/graph/diagram/draw-mermaid.ts';
import { drawSvg } from '../../engine/graph/diagram/draw-svg.ts';
import { graphNotFound } from '../../errors/graph-errors.ts';
import { findGraph, type Graph, listGraphs } from '../../store/graphs.ts';
import { bind, type Route } from '../bind.ts';
import { presentGraph, presentGraphDetail } from '../present/graph.ts';

export function graphRoutes(options: CompileOptions): Route[] {
  const { knex } = options.db;
  const read = async (tenantId: string, id: string): Promise<Graph> => {
    const found = await findGraph(knex, tenantId, id);
    if (!found) throw graphNotFound();
    return found;
  };
  return [
    bind(operations.compileGraph).to(async ({ principal, body }) => {
      const { graph, created } = await compileGraph(options, principal.tenant.id, body);
      return { status: created ? 201 : 200, body: presentGraph(graph) };
    }),
    bind(operations.listGraphs).to(async ({ principal }) => {
      const graphs = await listGraphs(knex, principal.tenant.id);
      return { status: 200, body: graphs.map(presentGraph) };
    }),
    bind(operations.getGraph).to(async ({ principal, params }) => {
      const graph = await read(principal.tenant.id, params.graph_id);
      return { status: 200, body: presentGraphDetail(graph) };
    }),
    bind(operations.getGraphDiagram).to(async ({ principal, params, query, headers }) => {
      const graph = await read(principal.tenant.id, params.graph_id);
      const compiled = graph.compiled as unknown as CompiledGraph;
      const format = query.format ?? (wantsSvg(headers.accept) ? 'svg' : 'mermaid');
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
          // An SVG opened by itself is a document. It may run no script and load nothing.
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
        },
      };
    }),
  ];
}

function wantsSvg(accept: string | string[] | undefined): boolean {
  return String(accept ?? '').includes('image/svg+xml');
}
