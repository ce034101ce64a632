import { z } from 'zod';
import { limits } from '../limits.ts';
import { storableText } from './storable-text.ts';

/** The body of a flow invocation. Unknown fields are ignored. */
export const invokeFlowBody = z
  .object({
    // Optional here, because a missing graph_id has its own status.
    graph_id: storableText.optional().describe('Id of the compiled flow. Required.'),
    // An object for most messages; well-known types such as Timestamp are other JSON.
    input: z
      .unknown()
      .optional()
      .describe("The entry node's input message as JSON. Takes precedence over `payload`."),
    payload: z
      .base64({ error: 'must be standard base64 with padding' })
      .optional()
      .describe("The entry node's serialized input message, base64-encoded."),
    wait: z.boolean().default(false).describe('Waits for the run to end and returns its result.'),
    timeout_seconds: z
      .int()
      .min(1)
      .max(limits.maxWaitSeconds)
      .default(limits.waitSeconds)
      .describe('Maximum wait in seconds. The run continues after the wait has ended.'),
    config_id: storableText
      .optional()
      .describe('Config profile. Default: the tenant default, then the flow default.'),
    debug_session_id: storableText
      .optional()
      .describe('Session that receives debug events. The header `X-Debug-Session-Id` takes precedence.'),
    idempotency_key: storableText
      .optional()
      .describe(
        'Requests with the same key within five minutes start one run. The header `Idempotency-Key` takes precedence. ' +
          'Without a key, identical requests start one run.',
      ),
  })
  .meta({ id: 'InvokeFlow' });

/** The body of a fork. Unknown fields are ignored. */
export const forkBody = invokeFlowBody
  .omit({ graph_id: true })
  .extend({
    checkpoint_id: storableText.optional().describe('Checkpoint to continue from. Default: the latest.'),
    input: z
      .unknown()
      .optional()
      .describe(
        'Input message as JSON with which the pending node of the checkpoint starts again. Default: the node continues with the ' +
          'input that it had. Takes precedence over `payload`.',
      ),
    payload: z
      .base64({ error: 'must be standard base64 with padding' })
      .optional()
      .describe('The same as a serialized message, base64-encoded.'),
    config_id: storableText.optional().describe('Config profile. Default: the profile of the parent.'),
  })
  .meta({ id: 'ForkExecution' });

const invocationResult = z
  .object({
    success: z.boolean().describe('Whether the run succeeded.'),
    output: z
      .unknown()
      .optional()
      .describe("The terminal node's output message as JSON, if the flow was invoked with `input`."),
    payload: z
      .string()
      .optional()
      .describe('The serialized output message, base64-encoded, if the flow was invoked with `payload`.'),
    completed_at: z.int().describe('Time of completion in epoch milliseconds.'),
    error_message: z.string().optional().describe('Error text of a failed run.'),
  })
  .meta({ id: 'InvocationResult' });

export const acceptedInvocation = z
  .object({
    accepted: z.literal(true).describe('Always `true`.'),
    execution_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Id of the execution, which is also its trace id.'),
    result: invocationResult.optional().describe('Result of a run that ended during the wait.'),
    error_message: z
      .string()
      .optional()
      .describe('Error text of a failed run, or of a wait that ended before the run.'),
    execution_status: z
      .enum(['PAUSED', 'RUNNING'])
      .optional()
      .describe('Status of a run that has not ended.'),
    pause_id: z.string().optional().describe('Id of the pause to resume, with `PAUSED`.'),
    mocked_nodes: z.array(z.string()).optional().describe('Ids of the mocked nodes.'),
  })
  .meta({ id: 'AcceptedInvocation' });

export const acceptedFork = acceptedInvocation
  .extend({
    forked_from_execution_id: z
      .string()
      .nullable()
      .describe(
        'The execution that the run continues. `null` if the idempotency key belongs to a run that is no fork.',
      ),
  })
  .meta({ id: 'AcceptedFork' });

/** Headers that take precedence over the fields of the body. */
export const invocationHeaders = z.object({
  'Idempotency-Key': storableText
    .optional()
    .describe('Requests with the same key within five minutes start one run.'),
  'X-Debug-Session-Id': storableText.optional().describe('Session that receives debug events.'),
});
