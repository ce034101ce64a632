import { z } from 'zod';
import { failureKinds } from '../failure-kind.ts';
import { executionStatuses } from '../execution-status.ts';
import { limits } from '../limits.ts';
import { errorFields, invocationError, invocationRefusal, managementError } from './error-shapes.ts';
import { acceptedFork, forkBody, invocationHeaders } from './flow-shapes.ts';
import { anyJson } from './json-value.ts';
import { cursor, nextCursor, pageSize, repeatable } from './page-query.ts';
import { defineOperation } from './operation.ts';
import { flag } from './query-flag.ts';
import { storableText } from './storable-text.ts';

export const executionStatus = z.enum(executionStatuses).meta({ id: 'ExecutionStatus' });

export const executionRecord = z
  .object({
    execution_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Id of the execution, which is also its trace id.'),
    tenant_id: z.string().describe('Id of the owning tenant.'),
    graph_id: z.string().optional().describe('Id of the flow. Absent for direct node calls.'),
    graph_artifact_id: z.string().optional().describe('Id of the compiled artifact.'),
    node_id: z.string().optional().describe('Direct node calls: the registry id of the node.'),
    node_fqn: z.string().optional().describe('Direct node calls: `<handle>/<package>/<version>/<node>`.'),
    status: executionStatus.describe('Status. All but `QUEUED` and `RUNNING` are terminal.'),
    latest_checkpoint_id: z.string().optional().describe('Id of the latest checkpoint.'),
    pause_id: z.string().optional().describe('Id of the pause that waits for a decision. Not in lists.'),
    forked_from_execution_id: z
      .string()
      .nullable()
      .describe('Forks: the execution that the run continues. Otherwise `null`.'),
    mutation_enabled: z.boolean().describe('Whether nodes may add to the running graph.'),
    lineage_root_execution_id: z
      .string()
      .nullable()
      .describe('Branches: the execution id of the run. Otherwise `null`.'),
    mutation_seq: z.number().int().describe('Number of mutations of the graph.'),
    created_at: z.string().describe('Time of creation, ISO 8601 in UTC.'),
    updated_at: z.string().describe('Time of the last change, ISO 8601 in UTC.'),
    completed_at: z
      .string()
      .optional()
      .describe('Time of completion, ISO 8601 in UTC. Present on terminal executions.'),
    error_message: z.string().optional().describe('Why the execution ended without a result.'),
    failure_kind: z
      .string()
      .optional()
      .describe('Cause of the failure, if it is known, as `NODE_FAILED` and `FLOW_FAILED` name it.'),
    failed_node_name: z
      .string()
      .optional()
      .describe('Runs and branches: id of the node in the flow at which it failed.'),
    mocked_node_count: z.int().positive().optional().describe('Number of mocked nodes of the flow.'),
  })
  .meta({ id: 'Execution' });

const executionParams = z.object({ execution_id: storableText.describe('Id of the execution.') });
const unknownExecution = {
  description:
    'The execution is unknown, belongs to another tenant, or was not started by the calling app key.',
  shape: managementError,
};
const common = { family: 'invocation', caller: 'full-key' } as const;
/** App keys may read the executions that they started. */
const followed = { ...common, caller: 'any-key' } as const;

const time = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time, such as 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text));

export const getExecution = defineOperation({
  ...followed,
  id: 'getExecution',
  method: 'get',
  path: '/invocations/v1/executions/{execution_id}',
  summary: 'Get an execution',
  description:
    'Returns the record of an execution. Its status is authoritative: a run continues after the wait of its caller has ended.',
  scope: 'read',
  params: executionParams,
  responses: {
    200: { description: 'The record.', shape: executionRecord },
    404: unknownExecution,
  },
});

export const listExecutions = defineOperation({
  ...common,
  id: 'listExecutions',
  method: 'get',
  path: '/invocations/v1/executions',
  summary: 'List executions',
  description:
    'Lists the runs and direct calls of the tenant, newest first. Branches of runs are listed on request.',
  scope: 'read',
  query: z.object({
    status: repeatable(executionStatus).describe('Only executions with this status. Repeatable.'),
    graph_id: storableText.optional().describe('Only executions of this flow.'),
    created_after: time.optional().describe('Only executions created at this time or later.'),
    created_before: time.optional().describe('Only executions created before this time.'),
    branches: flag.describe('Lists the branches of runs, too.'),
    lineage_root_execution_id: storableText.optional().describe('Only the branches of this run.'),
    cursor: cursor.optional(),
    limit: pageSize,
  }),
  responses: {
    200: {
      description: 'A page of executions.',
      shape: z.object({
        executions: z.array(executionRecord).describe('The executions, newest first.'),
        next_cursor: nextCursor,
      }),
    },
  },
});

const addedEdge = z.object({
  id: z.string().describe('Id of the edge.'),
  from: z.string().describe('Id of its source node.'),
  to: z.string().describe('Id of its target node.'),
});

/** An event of an execution. Each type sets the fields that apply to it. */
export const executionEvent = z
  .object({
    type: z.string().describe('Event type, for example `NODE_STARTED`. Ignore unknown types.'),
    event_ulid: z.string().describe('Unique, time-ordered id of the event.'),
    execution_id: z.string().describe('Id of the execution.'),
    timestamp_ms: z.int().describe('Time of the event in epoch milliseconds.'),
    node_id: z.string().optional().describe('Id of the node.'),
    node_name: z.string().optional().describe('The same as `node_id`.'),
    instance_id: z.string().optional().describe('Execution id of the branch.'),
    input_bytes: z.base64().optional().describe('The serialized input message, base64-encoded.'),
    output_bytes: z.base64().optional().describe('The serialized output message, base64-encoded.'),
    input: anyJson.optional().describe('The decoded input message, with decode=true.'),
    output: anyJson.optional().describe('The decoded output message, with decode=true.'),
    frame_bytes: z
      .base64()
      .optional()
      .describe('NODE_FRAME and NODE_INPUT_FRAME: the serialized frame, base64-encoded.'),
    frame: anyJson
      .optional()
      .describe('NODE_FRAME and NODE_INPUT_FRAME: the decoded frame, with decode=true.'),
    frame_index: z
      .int()
      .optional()
      .describe(
        'NODE_FRAME and NODE_INPUT_FRAME: position among the frames of its direction, starting at 0.',
      ),
    input_frames: z.int().optional().describe('End of a pipeline node: number of input frames.'),
    total_frames: z.int().optional().describe('End of a pipeline node: number of output frames.'),
    frames_dropped: z
      .int()
      .optional()
      .describe('End of a pipeline node: number of frames that were delivered, but have no event.'),
    mocked: z.literal(true).optional().describe('A mock answered instead of the node.'),
    progress_dropped: z.int().optional().describe('Number of progress frames dropped by the rate limit.'),
    error: z
      .string()
      .optional()
      .describe('Error text of a failed node, edge or flow; of a retry, that of the attempt before.'),
    failure_kind: z
      .string()
      .optional()
      .describe(
        `NODE_FAILED, FLOW_FAILED and retries: the cause, if it is known: ${failureKinds.map((kind) => `\`${kind}\``).join(', ')}. Accept unknown kinds.`,
      ),
    failure_payload: anyJson.optional().describe('Details that the failed node gave.'),
    log_message: z.string().optional().describe('NODE_LOG: the log line.'),
    log_level: z.string().optional().describe('NODE_LOG: the level.'),
    progress_kind: z.string().optional().describe('NODE_PROGRESS: the kind, chosen by the node.'),
    progress_json: z.string().optional().describe('NODE_PROGRESS: JSON text, chosen by the node.'),
    progress_seq: z.int().optional().describe('NODE_PROGRESS: sequence number within the call.'),
    edge_id: z.string().optional().describe('EDGE_EVALUATED: the id of the edge.'),
    condition_pass: z.boolean().optional().describe('EDGE_EVALUATED: whether the condition passed.'),
    adapter_applied: z.boolean().optional().describe('EDGE_EVALUATED: whether the adapter was applied.'),
    mutation_seq: z.int().optional().describe('GRAPH_MUTATED: number of mutations so far.'),
    added_nodes: z.array(z.string()).optional().describe('GRAPH_MUTATED: ids of the new nodes.'),
    added_edges: z.array(addedEdge).optional().describe('GRAPH_MUTATED: the new edges.'),
    memory_key: z.string().optional().describe('MEMORY_READ and MEMORY_WRITE: the key.'),
    memory_detail: anyJson.optional().describe('MEMORY_READ and MEMORY_WRITE: details that the node gave.'),
    attempt: z.int().optional().describe('Retry events: number of the attempt.'),
    max_attempts: z.int().optional().describe('Retry events: maximum number of attempts.'),
    next_attempt_at_ms: z
      .number()
      .optional()
      .describe('NODE_RETRY_SCHEDULED: time of the next attempt, in epoch milliseconds.'),
    pause_id: z.string().optional().describe('HITL events and ESCALATION_TRIGGERED: id of the pause.'),
    interrupt_payload: anyJson.optional().describe('HITL_PAUSED: the question of the node.'),
    resume_schema: z
      .string()
      .optional()
      .describe('HITL_PAUSED: full name of the message that the decision must fit.'),
    expires_at_ms: z.int().optional().describe('HITL_PAUSED: time of expiry, in epoch milliseconds.'),
    resumed_by: z.string().optional().describe('HITL_RESUMED: who decided, as the caller named them.'),
    forked_to_execution_id: z.string().optional().describe('FORKED: the execution that continues the run.'),
    checkpoint_id: z.string().optional().describe('FORKED: the checkpoint from which it continues.'),
  })
  .meta({ id: 'ExecutionEvent' });

export const decode = flag.describe('Returns messages as JSON instead of base64-encoded bytes.');

export const listEvents = defineOperation({
  ...followed,
  id: 'listEvents',
  method: 'get',
  path: '/invocations/v1/executions/{execution_id}/events',
  queued: true,
  summary: 'List events of an execution',
  description: `Lists the events of an execution, oldest first. Events are kept for ${limits.eventRetentionDays} days.`,
  scope: 'read',
  params: executionParams,
  query: z.object({
    node_name: storableText.optional().describe('Only events of the node with this id.'),
    event_type: repeatable(storableText).describe('Only events of this type. Repeatable.'),
    decode,
    cursor: cursor.optional(),
    limit: pageSize,
  }),
  responses: {
    200: {
      description: 'A page of events.',
      shape: z.object({
        events: z.array(executionEvent).describe('The events, oldest first.'),
        next_cursor: nextCursor,
      }),
    },
    404: unknownExecution,
  },
});

export const checkpoint = z
  .object({
    checkpoint_id: z.string().describe('Id of the checkpoint.'),
    execution_id: z.string().describe('Id of the execution.'),
    graph_id: z.string().describe('Id of the flow.'),
    seq: z.int().describe('Sequence number in the journal of the run.'),
    reason: z.enum(['step', 'pause', 'terminal', 'fork']).describe('Cause of the checkpoint.'),
    node_id: z.string().optional().describe('Id of the node that caused the checkpoint.'),
    step_count: z.int().describe('Number of steps started so far.'),
    pending: z.array(z.string()).describe('Ids of the running nodes.'),
    completed: z
      .array(
        z.object({
          node_id: z.string().describe('Node id.'),
          output_bytes: z.base64().optional().describe('The serialized output message, base64-encoded.'),
          output: anyJson.optional().describe('The decoded output message, with decode=true.'),
        }),
      )
      .describe(
        'Completed nodes in order of completion, with their outputs. Outputs beyond 8 MiB in total are left out.',
      ),
    pause_id: z.string().optional().describe('Id of the pause that the transition opened.'),
    created_at: z.string().describe('Time of creation, ISO 8601 in UTC.'),
    expires_at: z.string().describe('Time of eviction, ISO 8601 in UTC.'),
  })
  .meta({ id: 'Checkpoint' });

export const getCheckpoint = defineOperation({
  ...followed,
  id: 'getCheckpoint',
  method: 'get',
  path: '/invocations/v1/executions/{execution_id}/checkpoints/{checkpoint_id}',
  queued: true,
  summary: 'Get a checkpoint',
  description: `Returns the state of a run after one of its transitions. Checkpoints are kept for ${limits.checkpointRetentionDays} days.`,
  scope: 'read',
  params: executionParams.extend({ checkpoint_id: storableText.describe('Id of the checkpoint.') }),
  query: z.object({ decode }),
  responses: {
    200: { description: 'The checkpoint.', shape: checkpoint },
    404: {
      description: 'The checkpoint does not exist or was evicted by the retention policy.',
      shape: z.object({
        error: z.string().describe('The error class.'),
        detail: z.string().describe('Error text.'),
        ...errorFields,
      }),
    },
  },
});

export const cancelExecution = defineOperation({
  ...common,
  id: 'cancelExecution',
  method: 'post',
  path: '/invocations/v1/executions/{execution_id}/cancel',
  summary: 'Cancel an execution',
  description: 'Cancels a run. Running nodes are asked to stop.',
  scope: 'invoke',
  params: executionParams,
  responses: {
    200: { description: 'The cancelled execution.', shape: executionRecord },
    404: {
      description: 'The execution is unknown or belongs to another tenant.',
      shape: managementError,
    },
    409: {
      description: '`EXECUTION_NOT_CANCELLABLE`: the execution has ended, or is a branch.',
      shape: invocationError,
    },
  },
});

export const forkExecution = defineOperation({
  ...common,
  id: 'forkExecution',
  method: 'post',
  path: '/invocations/v1/executions/{execution_id}/fork',
  summary: 'Fork an execution',
  description:
    'Starts a run that continues from a checkpoint of another one. Nodes that completed before the checkpoint are not called again; ' +
    'nodes that were running are. A parent that still runs or waits ends with the status `FORKED`; one that has ended does not change.',
  scope: 'invoke',
  params: executionParams,
  headers: invocationHeaders,
  // The handler needs the text of `input` as it was sent, because parsing would lose the precision of 64-bit numbers.
  body: {
    kind: 'bytes',
    maxBytes: limits.invocationBodyBytes,
    shape: forkBody,
    example: { checkpoint_id: '4bf92f3577b34da6a3ce929d0e0e4736-2', input: { text: 'Streams of words.' } },
  },
  responses: {
    202: {
      description: 'The fork runs. With `wait`, the response contains its result or its status.',
      shape: acceptedFork,
      headers: {
        'Idempotency-Replayed': z
          .literal('true')
          .optional()
          .describe(
            'The response is that of the execution which an earlier request with the same key has started.',
          ),
        'Idempotency-Mismatch': z
          .literal('execution_id')
          .optional()
          .describe('The earlier request with the same key did not fork this execution.'),
      },
    },
    400: {
      description: 'The body is invalid, or `INVALID_ARGUMENT`: the input does not fit the checkpoint.',
      shape: z.union([invocationRefusal, invocationError]),
    },
    404: {
      description: '`EXECUTION_NOT_FOUND`, `CHECKPOINT_NOT_FOUND`, or the config profile does not exist.',
      shape: invocationError,
    },
    409: {
      description:
        '`EXECUTION_NOT_FORKABLE`: the execution is a branch, a call of a node, or a run of a pipeline flow.',
      shape: invocationError,
    },
    413: { description: 'The input exceeds 16 MiB.', shape: invocationError },
    429: { description: 'The rate limit or a daily quota is exceeded.', shape: invocationError },
    503: { description: 'The fork could not be stored. Repeat the request.', shape: invocationError },
  },
});
