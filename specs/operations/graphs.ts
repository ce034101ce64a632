import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError } from './error-shapes.ts';
import { compileError, graphDetail, graphDocument, graphSummary } from './graph-shapes.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const graphParams = z.object({ graph_id: storableText.describe('Id of the compiled flow.') });

const graphExample = {
  name: 'Keywords of a text',
  entry: 'tokenize',
  terminal: 'keywords',
  nodes: [
    { id: 'tokenize', package: 'acme/text', node_name: 'Tokenize' },
    { id: 'keywords', package: 'acme/text', node_name: 'ExtractKeywords' },
  ],
  edges: [
    {
      from: 'tokenize',
      to: 'keywords',
      adapter: { text: `cel("tokens.map(t, t.text).join(' ')")`, limit: '2' },
    },
  ],
};

export const compileGraph = defineOperation({
  id: 'compileGraph',
  method: 'post',
  path: '/api/v1/graphs/compile',
  family: 'management',
  summary: 'Compile a flow',
  description:
    'Pins versions, checks every expression against the message types, and stores the graph. Compiling the same document again ' +
    'returns the same `graph_id`.',
  caller: 'full-key',
  scope: 'write',
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: graphDocument,
    messages: ['nodes[].mock.output', 'nodes[].mock.frames'],
    example: graphExample,
  },
  responses: {
    200: { description: 'The graph of an earlier compilation of the same document.', shape: graphSummary },
    201: { description: 'The compiled graph.', shape: graphSummary },
    400: { description: 'The document is invalid. The response lists all problems.', shape: compileError },
  },
});

export const listGraphs = defineOperation({
  id: 'listGraphs',
  method: 'get',
  path: '/api/v1/graphs',
  family: 'management',
  summary: 'List compiled flows',
  description: 'Lists the compiled flows of the tenant, newest first.',
  caller: 'full-key',
  scope: 'read',
  queued: true,
  responses: { 200: { description: 'The graphs, newest first.', shape: z.array(graphSummary) } },
});

export const getGraph = defineOperation({
  id: 'getGraph',
  method: 'get',
  path: '/api/v1/graphs/{graph_id}',
  queued: true,
  family: 'management',
  summary: 'Get a compiled flow',
  description: 'Returns a compiled flow with its document.',
  caller: 'full-key',
  scope: 'read',
  params: graphParams,
  responses: {
    200: { description: 'The graph.', shape: graphDetail },
    404: { description: 'The flow is unknown or belongs to another tenant.', shape: managementError },
  },
});

export const getGraphDiagram = defineOperation({
  id: 'getGraphDiagram',
  method: 'get',
  path: '/api/v1/graphs/{graph_id}/diagram',
  queued: true,
  family: 'management',
  summary: 'Get a diagram of a flow',
  description: 'Draws a compiled flow as Mermaid text or SVG.',
  caller: 'full-key',
  scope: 'read',
  params: graphParams,
  query: z.object({
    format: z
      .enum(['mermaid', 'svg'], { error: 'must be mermaid or svg' })
      .optional()
      .describe(
        'Format of the diagram. Default: SVG if the `Accept` header contains `image/svg+xml`, otherwise Mermaid.',
      ),
  }),
  responses: {
    200: {
      description: 'The diagram.',
      contentType: 'text/plain',
      otherContentTypes: ['image/svg+xml'],
    },
    404: { description: 'The flow is unknown or belongs to another tenant.', shape: managementError },
  },
});
