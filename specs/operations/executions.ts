import { z } from 'zod';
import { limits } from '../limits.ts';
import { invocationError, managementError } from './error-shapes.ts';
import { jsonValue } from './json-value.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

export const executionStatus = z
  .enum(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'FORKED'])
  .meta({ id: 'ExecutionStatus' });

/** SPEC.md, Execution record. */
export const executionRecord = z
  .object({
    execution_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Id of the execution, and of its trace.'),
    tenant_id: z.string().describe('Whose it is.'),
    graph_id: z.string().optional().describe('Flow that it runs; absent for direct calls of nodes.'),
    graph_artifact_id: z.string().optional().describe('Compiled artifact of the flow.'),
    node_id: z.string().optional().describe('Of a direct call: registry id of the node.'),
    node_fqn: z.string().optional().describe('<handle>/<package>/<version>/<node>'),
    status: executionStatus.describe('The last four are ends.'),
    latest_checkpoint_id: z.string().optional().describe('Its last checkpoint.'),
    forked_from_execution_id: z.string().nullable().describe('Its parent, when it was forked.'),
    mutation_enabled: z.boolean().describe('Whether nodes may grow the graph.'),
    lineage_root_execution_id: z.string().nullable().describe('Of a branch: the run that it belongs to.'),
    mutation_seq: z.number().int().describe('How often the graph has grown.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('ISO 8601, UTC.'),
    completed_at: z.string().optional().describe('ISO 8601, UTC; when it has ended.'),
    mocked_node_count: z.int().positive().optional().describe('Nodes that answered from fixtures.'),
  })
  .meta({ id: 'Execution' });

const executionParams = z.object({ execution_id: storableText.describe('32 hex characters.') });
const unknownExecution = {
  description: "Unknown, another tenant's, or not started by the app key that asks.",
  shape: managementError,
};
const common = { family: 'invocation', caller: 'full-key' } as const;
/** App keys follow the runs that they started. */
const followed = { ...common, caller: 'any-key' } as const;

/** A parameter that may be repeated arrives as text or as a list of texts. */
const repeatable = <T extends z.ZodType>(one: T) =>
  z.preprocess(
    (given): unknown => (Array.isArray(given) ? given : given === undefined ? [] : [given]),
    z.array(one),
  );

const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .default('false')
  .transform((text) => text === 'true');

const pageSize = z
  .string()
  .regex(/^\d{1,9}$/, { error: `must be a whole number from 1 to ${limits.maxPageSize}` })
  .transform(Number)
  .pipe(z.int().min(1).max(limits.maxPageSize))
  .default(limits.pageSize)
  .describe(`Entries of a page, at most ${limits.maxPageSize}.`);

const time = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time, such as 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text));

const nextCursor = z.string().optional().describe('For the next page; absent on the last one.');
const cursor = storableText.max(2_048).describe('next_cursor of the page before, with the same filters.');

export const getExecution = defineOperation({
  ...followed,
  id: 'getExecution',
  method: 'get',
  path: '/invocations/v1/executions/{execution_id}',
  summary: 'The record of an execution',
  scope: 'read',
  params: executionParams,
  responses: {
    200: { description: 'The record; authoritative for whether a run finished.', shape: executionRecord },
    404: unknownExecution,
  },
});

export const listExecutions = defineOperation({
  ...common,
  id: 'listExecutions',
  method: 'get',
  path: '/invocations/v1/executions',
  summary: 'Executions, newest first',
  scope: 'read',
  query: z.object({
    status: repeatable(executionStatus).describe('Repeatable: executions of any of these statuses.'),
    graph_id: storableText.optional().describe('Executions of that flow.'),
    created_after: time.optional().describe('Created at that time or later.'),
    created_before: time.optional().describe('Created before that time.'),
    cursor: cursor.optional(),
    limit: pageSize,
  }),
  responses: {
    200: {
      description: 'A page of records; next_cursor is absent on the last one.',
      shape: z.object({
        executions: z.array(executionRecord).describe('Newest first.'),
        next_cursor: nextCursor,
      }),
    },
  },
});

/** SPEC.md, Execution event; types and fields are added without notice. */
const executionEvent = z
  .looseObject({
    type: z.string().describe('NODE_STARTED, FLOW_COMPLETED and so on; ignore those that you do not know.'),
    event_ulid: z.string().describe('Unique, in order of time.'),
    execution_id: z.string().describe('32 hex characters.'),
    timestamp_ms: z.int().describe('Epoch milliseconds.'),
    node_id: z.string().optional().describe('Canvas id of the node.'),
    node_name: z.string().optional().describe('The same.'),
    instance_id: z.string().optional().describe('Branch of the run: the id of its child execution.'),
    input_bytes: z.base64().optional().describe('The input message, serialized.'),
    output_bytes: z.base64().optional().describe('The output message, serialized.'),
    input: jsonValue.optional().describe('With decode, in place of input_bytes.'),
    output: jsonValue.optional().describe('With decode, in place of output_bytes.'),
  })
  .meta({ id: 'ExecutionEvent' });

const decode = flag.describe('Messages as JSON instead of base64 of their bytes.');

export const listEvents = defineOperation({
  ...followed,
  id: 'listEvents',
  method: 'get',
  path: '/invocations/v1/executions/{execution_id}/events',
  summary: 'Events of an execution, oldest first',
  scope: 'read',
  params: executionParams,
  query: z.object({
    node_name: storableText.optional().describe("A node's id in the flow: events of that node alone."),
    event_type: repeatable(storableText).describe('Repeatable: events of any of these types.'),
    decode,
    cursor: cursor.optional(),
    limit: pageSize,
  }),
  responses: {
    200: {
      description: 'A page of events; next_cursor is absent on the last one.',
      shape: z.object({
        events: z.array(executionEvent).describe('Oldest first.'),
        next_cursor: nextCursor,
      }),
    },
    404: unknownExecution,
  },
});

/** DESIGN.md 7, Checkpoint. */
export const checkpoint = z
  .object({
    checkpoint_id: z.string().describe('Id of the checkpoint.'),
    execution_id: z.string().describe('32 hex characters.'),
    graph_id: z.string().describe('Flow that runs.'),
    seq: z.int().describe('Place in the journal of the run.'),
    reason: z.enum(['step', 'pause', 'terminal', 'fork']).describe('What it follows.'),
    node_id: z.string().optional().describe('Canvas id of the node that it follows.'),
    step_count: z.int().describe('Steps started so far.'),
    pending: z.array(z.string()).describe('Nodes under way.'),
    completed: z
      .array(z.looseObject({ node_id: z.string().describe('Canvas id.') }))
      .describe('Nodes in the order of completing, with output_bytes or, by decode, output.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    expires_at: z.string().describe('ISO 8601, UTC; later it is not found.'),
  })
  .meta({ id: 'Checkpoint' });

export const getCheckpoint = defineOperation({
  ...followed,
  id: 'getCheckpoint',
  method: 'get',
  path: '/invocations/v1/executions/{execution_id}/checkpoints/{checkpoint_id}',
  summary: 'A run as it stood after one of its transitions',
  scope: 'read',
  params: executionParams.extend({ checkpoint_id: storableText.describe('Id of the checkpoint.') }),
  query: z.object({ decode }),
  responses: {
    200: { description: 'The checkpoint.', shape: checkpoint },
    404: {
      description: 'No such checkpoint, or evicted by the retention policy.',
      shape: z.object({
        error: z.string().describe('The cause: a class that does not change.'),
        detail: z.string().describe('What is wrong, in words.'),
      }),
    },
  },
});

export const cancelExecution = defineOperation({
  ...common,
  id: 'cancelExecution',
  method: 'post',
  path: '/invocations/v1/executions/{execution_id}/cancel',
  summary: 'Cancel a run',
  scope: 'invoke',
  params: executionParams,
  responses: {
    200: { description: 'Cancelled; nodes under way are told to stop.', shape: executionRecord },
    404: unknownExecution,
    409: { description: 'EXECUTION_NOT_CANCELLABLE: the run has ended.', shape: invocationError },
  },
});
