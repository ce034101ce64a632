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

/** Flows as compiled graphs (DESIGN.md 5). */
export const compileGraph = defineOperation({
  id: 'compileGraph',
  method: 'post',
  path: '/api/v1/graphs/compile',
  family: 'management',
  summary: 'Compile a flow',
  description:
    'Pins versions, checks every expression against the messages, and stores the graph. Whoever compiles the same document ' +
    'again gets the same `graph_id`.',
  caller: 'full-key',
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: graphDocument, example: graphExample },
  responses: {
    200: { description: 'The same document was compiled before; nothing changed.', shape: graphSummary },
    201: { description: 'Compiled.', shape: graphSummary },
    400: { description: 'Everything that is wrong with the document, at once.', shape: compileError },
  },
});

export const listGraphs = defineOperation({
  id: 'listGraphs',
  method: 'get',
  path: '/api/v1/graphs',
  family: 'management',
  summary: "List the tenant's compiled flows",
  caller: 'full-key',
  scope: 'read',
  responses: { 200: { description: 'Newest first.', shape: z.array(graphSummary) } },
});

export const getGraph = defineOperation({
  id: 'getGraph',
  method: 'get',
  path: '/api/v1/graphs/{graph_id}',
  family: 'management',
  summary: 'A compiled flow with the document it was made from',
  caller: 'full-key',
  scope: 'read',
  params: graphParams,
  responses: {
    200: { description: 'The flow.', shape: graphDetail },
    404: { description: 'Unknown, or of another tenant.', shape: managementError },
  },
});

export const getGraphDiagram = defineOperation({
  id: 'getGraphDiagram',
  method: 'get',
  path: '/api/v1/graphs/{graph_id}/diagram',
  family: 'management',
  summary: 'A picture of a flow, as Mermaid text or SVG',
  caller: 'full-key',
  scope: 'read',
  params: graphParams,
  query: z.object({
    format: z
      .enum(['mermaid', 'svg'], { error: 'must be mermaid or svg' })
      .optional()
      .describe('Left out: what the Accept header asks for, Mermaid when it names neither.'),
  }),
  responses: {
    200: {
      description: 'Mermaid text, or SVG (image/svg+xml).',
      contentType: 'text/plain',
      otherContentTypes: ['image/svg+xml'],
    },
    404: { description: 'Unknown, or of another tenant.', shape: managementError },
  },
});
