import { z } from 'zod';
import { jsonValue } from './json-value.ts';
import { packageName } from './package-shapes.ts';
import { storableText } from './storable-text.ts';

/** Ids that a document gives its nodes and edges: they stand in expressions (`edge_id:a.b`), events and error texts. */
const placementId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, "_" and "-"',
});

export const configId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, "_" and "-"',
});

/** Settings as a node is given them. */
export const configProfile = z.record(z.string(), jsonValue).describe('Settings by name, any JSON.');

const retryPolicy = z.strictObject({
  max_attempts: z.number().describe('Attempts in all, the first one included.'),
  initial_ms: z.number().default(1_000).describe('Wait before the second attempt.'),
  factor: z.number().default(2).describe('Each further wait is so many times as long.'),
  max_ms: z.number().optional().describe('No wait is longer; one minute when left out.'),
});

const joinPolicy = z.strictObject({
  policy: z
    .enum(['all', 'any'])
    .default('all')
    .describe('all: waits for every incoming edge; any: the first that passes starts the node.'),
  on_error: z
    .enum(['abort', 'continue'])
    .default('abort')
    .describe('What the failure of a node that leads here does: fails the flow, or counts as no input.'),
});

const nodeMock = z.strictObject({
  output: jsonValue.optional().describe('The output message as JSON.'),
  frames: z.array(jsonValue).optional().describe('The output messages of a pipeline node.'),
  error: storableText.max(4_096).optional().describe('What the node fails with.'),
});

const graphNode = z
  .strictObject({
    id: placementId.describe('Canvas id: what events and error texts call this placement.'),
    package: packageName.describe('<handle>/<name>'),
    version: z.string().max(64).default('').describe('Empty or latest pins the latest version now.'),
    node_name: z.string().max(64).optional().describe('Name of the node, unless node_ulid is given.'),
    node_ulid: z.string().max(26).optional().describe('26-character registry id of the node.'),
    config: configProfile.default({}).describe('Settings of this placement.'),
    timeout_seconds: z.number().optional().describe('Time that one attempt may take, 30 when left out.'),
    mock: nodeMock
      .optional()
      .describe('Answers instead of the node: exactly one of output, frames and error.'),
    retry: retryPolicy.optional().describe('Left out: one attempt.'),
    join: joinPolicy.optional().describe('How several incoming edges start the node.'),
  })
  .meta({ id: 'GraphNode' });

/** Expression by field path. */
export const fieldExpressions = z.record(z.string(), storableText);

const graphEdge = z
  .strictObject({
    id: placementId.optional().describe('<from>_<to> when left out.'),
    from: placementId.describe('Canvas id of the node whose output it carries.'),
    to: placementId.describe('Canvas id of the node whose input it makes.'),
    condition: storableText
      .optional()
      .describe('CEL over the output of from; the edge is taken when it is true.'),
    adapter: fieldExpressions.optional().describe('Expression by field path of the input of to.'),
  })
  .meta({ id: 'GraphEdge' });

/** A flow as its author writes it (DESIGN.md 5): the body of `POST /api/v1/graphs/compile`, or the YAML of a file. */
export const graphDocument = z
  .strictObject({
    name: storableText.min(1, { error: 'is required' }).max(128).describe('For people.'),
    description: storableText.max(4_096).default('').describe('For people.'),
    mode: z
      .enum(['unary', 'pipeline'])
      .default('unary')
      .describe('unary: one input, one result. pipeline: frames, which compile and do not run yet.'),
    entry: placementId.optional().describe('Id of the node that takes the input.'),
    terminal: placementId.optional().describe('Id of the node whose output is the result.'),
    nodes: z.array(graphNode).describe('Placements of published nodes.'),
    edges: z
      .array(graphEdge)
      .default([])
      .describe('Several may leave a node: each that passes opens a branch.'),
    compose: z
      .record(placementId, fieldExpressions)
      .default({})
      .describe('By node id: expressions over several incoming edges, as edge_id:a.b.'),
    config_profiles: z.record(configId, configProfile).default({}).describe('default is the flow default.'),
    mutation_enabled: z.boolean().default(false).describe('Whether nodes may grow the running graph.'),
  })
  .meta({ id: 'GraphDocument' });

/** What a node adds to a running graph (node_container.proto, Mutation); between both its edges may lead anywhere. */
export const graphFragment = z.strictObject({
  nodes: z.array(graphNode).default([]),
  edges: z.array(graphEdge).default([]),
});

export type GraphDocument = z.infer<typeof graphDocument>;
export type GraphDocumentNode = z.infer<typeof graphNode>;
export type GraphDocumentEdge = z.infer<typeof graphEdge>;

/** One thing that is wrong with a document, or that its author may not mean. */
const diagnostic = z
  .object({
    code: z.string().describe('Stable: programs may ask for it.'),
    node: z.string().optional().describe('Canvas id of the node that it is about.'),
    edge: z.string().optional().describe('Id of the edge that it is about.'),
    field: z.string().optional().describe('Field path of the target message.'),
    message: z.string().describe('What is wrong, in words.'),
  })
  .meta({ id: 'GraphDiagnostic' });

export const compileError = z
  .object({
    error: z.string().describe('compile_failed, or what is wrong with the body.'),
    message: z.string().optional().describe('The first problem, in words.'),
    diagnostics: z.array(diagnostic).optional().describe('Every problem.'),
  })
  .meta({ id: 'CompileError' });

export const graphSummary = z
  .object({
    graph_id: z.string().describe('What invocations name; a hash of the tenant and the pinned document.'),
    graph_artifact_id: z.string().describe('The compiled artifact.'),
    name: z.string().describe('For people.'),
    description: z.string().describe('For people.'),
    mode: z.enum(['unary', 'pipeline']).describe('How it runs.'),
    input_message: z.string().describe('Full name of the message that the entry node takes.'),
    output_message: z.string().describe('Full name of the message that the terminal node gives.'),
    mocked_nodes: z.array(z.string()).optional().describe('Canvas ids of nodes that answer from fixtures.'),
    required_secrets: z.array(z.string()).describe('Names of the secrets that its nodes need.'),
    warnings: z.array(diagnostic).describe('What its author may not mean.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'Graph' });

export const graphDetail = graphSummary
  .extend({
    document: z
      .looseObject({
        name: z.string().describe('For people.'),
        nodes: z
          .array(
            z.looseObject({
              id: z.string().describe('Canvas id.'),
              version: z.string().describe('Pinned.'),
            }),
          )
          .describe('As in GraphDocument.'),
      })
      .describe('What it was compiled from, with pinned versions: compiling it again gives the same graph.'),
  })
  .meta({ id: 'GraphDetail' });
