import { z } from 'zod';
import { errorFields } from './error-shapes.ts';
import { jsonValue } from './json-value.ts';
import { packageName } from './package-shapes.ts';
import { storableText } from './storable-text.ts';

/** Ids of nodes and edges in a flow document. Expressions (`edge_id:a.b`), events and error texts refer to them. */
const placementId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, "_" and "-"',
});

export const configId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, "_" and "-"',
});

export const configProfile = z
  .record(z.string(), jsonValue)
  .describe('Settings by name. Values are any JSON.');

const retryPolicy = z.strictObject({
  max_attempts: z.number().describe('Maximum number of attempts, including the first.'),
  initial_ms: z.number().default(1_000).describe('Delay before the second attempt, in milliseconds.'),
  factor: z.number().default(2).describe('Factor by which each further delay grows.'),
  max_ms: z
    .number()
    .optional()
    .describe('Maximum delay in milliseconds. Default: one minute, or `initial_ms` if that is longer.'),
});

const joinPolicy = z.strictObject({
  policy: z
    .enum(['all', 'any'])
    .default('all')
    .describe('`all` waits for every incoming edge. `any` starts the node with the first edge that passes.'),
  on_error: z
    .enum(['abort', 'continue'])
    .default('abort')
    .describe(
      'Effect of a failed node before the join: `abort` fails the flow, `continue` treats its input as absent.',
    ),
});

const nodeMock = z.strictObject({
  output: jsonValue.optional().describe('The output message as JSON.'),
  frames: z.array(jsonValue).optional().describe('The output messages of a pipeline node.'),
  error: storableText.max(4_096).optional().describe('Error text with which the node fails.'),
});

const graphNode = z
  .strictObject({
    id: placementId.describe('Id of the node, used by edges, events and error texts.'),
    package: packageName.describe('Package of the node, as `<handle>/<name>`.'),
    version: z
      .string()
      .max(64)
      .default('')
      .describe('Version of the package. Empty or `latest` pins the current latest version.'),
    node_name: z.string().max(64).optional().describe('Name of the node, unless `node_ulid` is given.'),
    node_ulid: z.string().max(26).optional().describe('26-character registry id of the node.'),
    config: configProfile.default({}).describe('Settings of this placement.'),
    timeout_seconds: z.number().optional().describe('Timeout of one attempt in seconds. Default: 30.'),
    mock: nodeMock
      .optional()
      .describe('Mock that answers instead of the node: exactly one of `output`, `frames` and `error`.'),
    retry: retryPolicy.optional().describe('Retry policy. Default: one attempt.'),
    join: joinPolicy.optional().describe('Join policy of a node with several incoming edges.'),
  })
  .meta({ id: 'GraphNode' });

/** Expressions by field path. */
export const fieldExpressions = z.record(z.string(), storableText);

const graphEdge = z
  .strictObject({
    id: placementId.optional().describe('Id of the edge. Default: `<from>_<to>`.'),
    from: placementId.describe('Id of the source node.'),
    to: placementId.describe('Id of the target node.'),
    condition: storableText
      .optional()
      .describe('CEL expression over the output of `from`. The edge is taken if it is true.'),
    adapter: fieldExpressions.optional().describe('Expressions by field path of the input of `to`.'),
  })
  .meta({ id: 'GraphEdge' });

/** A flow as its author writes it: the body of `POST /api/v1/graphs/compile`, or a YAML file with the same fields. */
export const graphDocument = z
  .strictObject({
    name: storableText.min(1, { error: 'is required' }).max(128).describe('Name of the flow.'),
    description: storableText.max(4_096).default('').describe('Description of the flow.'),
    mode: z
      .enum(['unary', 'pipeline'])
      .default('unary')
      .describe(
        '`unary`: one input, one result. `pipeline`: streams of frames, invoked with `/v1/flows/invoke/stream`.',
      ),
    entry: placementId.optional().describe('Id of the node that receives the input.'),
    terminal: placementId.optional().describe('Id of the node whose output is the result.'),
    nodes: z.array(graphNode).describe('Placements of published nodes.'),
    edges: z
      .array(graphEdge)
      .default([])
      .describe('Edges between nodes. If several edges of a node pass, each opens a branch.'),
    compose: z
      .record(placementId, fieldExpressions)
      .default({})
      .describe('Compose plans by node id: expressions over several incoming edges, as `edge_id:a.b`.'),
    config_profiles: z
      .record(configId, configProfile)
      .default({})
      .describe('Config profiles by id. `default` is the default of the flow.'),
    mutation_enabled: z.boolean().default(false).describe('Allows nodes to add to the running graph.'),
  })
  .meta({ id: 'GraphDocument' });

/** Nodes and edges that a node adds to a running graph. An edge may connect old and new nodes. */
export const graphFragment = z.strictObject({
  nodes: z.array(graphNode).default([]),
  edges: z.array(graphEdge).default([]),
});

/** A parsed flow document: fields with a default are set. */
export type GraphDocument = z.infer<typeof graphDocument>;
/** A parsed placement of a flow document or fragment. */
export type GraphDocumentNode = z.infer<typeof graphNode>;
/** A parsed edge of a flow document or fragment. Its `id` is still absent if the author gave none. */
export type GraphDocumentEdge = z.infer<typeof graphEdge>;

/** An error or a warning about a flow document. */
const diagnostic = z
  .object({
    code: z.string().describe('Stable code of the problem.'),
    node: z.string().optional().describe('Id of the affected node.'),
    edge: z.string().optional().describe('Id of the affected edge.'),
    field: z.string().optional().describe('Affected field path of the target message.'),
    message: z.string().describe('Description of the problem.'),
  })
  .meta({ id: 'GraphDiagnostic' });

export const compileError = z
  .object({
    error: z.string().describe('`compile_failed`, or the error text of an invalid body.'),
    ...errorFields,
    diagnostics: z.array(diagnostic).optional().describe('All problems.'),
  })
  .meta({ id: 'CompileError' });

export const graphSummary = z
  .object({
    graph_id: z.string().describe('Id for invocations: a hash of the tenant and the pinned document.'),
    graph_artifact_id: z.string().describe('Id of the compiled artifact.'),
    name: z.string().describe('Name of the flow.'),
    description: z.string().describe('Description of the flow.'),
    mode: z.enum(['unary', 'pipeline']).describe('Mode of the flow.'),
    input_message: z.string().describe('Full name of the input message of the entry node.'),
    output_message: z.string().describe('Full name of the output message of the terminal node.'),
    mocked_nodes: z.array(z.string()).optional().describe('Ids of the mocked nodes.'),
    required_secrets: z.array(z.string()).describe('Names of the secrets that the nodes require.'),
    warnings: z.array(diagnostic).describe('Warnings of the compiler.'),
    created_at: z.string().describe('Time of creation, ISO 8601 in UTC.'),
  })
  .meta({ id: 'Graph' });

export const graphDetail = graphSummary
  .extend({
    document: z
      .looseObject({
        name: z.string().describe('Name of the flow.'),
        nodes: z
          .array(
            z.looseObject({
              id: z.string().describe('Node id.'),
              version: z.string().describe('Pinned version.'),
            }),
          )
          .describe('Nodes as in `GraphDocument`.'),
      })
      .describe('The compiled document with pinned versions. Compiling it again returns the same graph.'),
  })
  .meta({ id: 'GraphDetail' });
