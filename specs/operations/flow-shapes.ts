import { z } from 'zod';
import { limits } from '../limits.ts';
import { storableText } from './storable-text.ts';

/** What a caller asks for by `POST /v1/flows/invoke` (SPEC.md). Unknown fields are ignored. */
export const invokeFlowBody = z
  .object({
    // Required, but its absence has an answer of its own: SPEC.md, Errors, the last row of the envelope.
    graph_id: storableText.optional().describe('Required. Id of the compiled flow.'),
    // An object for most messages; google.protobuf.Value, Timestamp, wrappers and their like are other JSON.
    input: z
      .unknown()
      .optional()
      .describe("The entry node's input message as JSON; takes precedence over payload."),
    payload: z
      .base64({ error: 'must be standard base64 with padding' })
      .optional()
      .describe("The entry node's input message, serialized."),
    wait: z.boolean().default(false).describe('Answer when the run has ended, and with its result.'),
    timeout_seconds: z
      .int()
      .min(1)
      .max(limits.maxWaitSeconds)
      .default(limits.waitSeconds)
      .describe('How long a waiting call waits; the run goes on whatever the wait does.'),
    config_id: storableText
      .optional()
      .describe('Config profile; left out: the tenant default, then the flow default.'),
    debug_session_id: storableText
      .optional()
      .describe('Session that gets the debug events; the header X-Debug-Session-Id takes precedence.'),
    idempotency_key: storableText
      .optional()
      .describe(
        'Within five minutes the same key starts one run; the header Idempotency-Key takes precedence. ' +
          'Left out: identical requests start one.',
      ),
  })
  .meta({ id: 'InvokeFlow' });

/** SPEC.md, Invocation result. */
export const invocationResult = z
  .object({
    success: z.boolean().describe('Whether the run succeeded.'),
    output: z.unknown().optional().describe("The terminal node's output message as JSON."),
    payload: z.string().optional().describe('Base64 of the serialized output message.'),
    completed_at: z.int().describe('Epoch milliseconds.'),
    error_message: z.string().optional().describe('Why the run failed.'),
  })
  .meta({ id: 'InvocationResult' });

export const acceptedInvocation = z
  .object({
    accepted: z.literal(true).describe('It was.'),
    execution_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Id of the execution, and of its trace.'),
    result: invocationResult.optional().describe('With wait, when the run has ended.'),
    error_message: z.string().optional().describe('The run failed, or the wait was over before it.'),
    execution_status: z
      .enum(['PAUSED', 'RUNNING'])
      .optional()
      .describe('How far the run got when the wait was over.'),
    pause_id: z.string().optional().describe('With PAUSED: the pause to resume.'),
    mocked_nodes: z.array(z.string()).optional().describe('Ids of the nodes that answered from fixtures.'),
  })
  .meta({ id: 'AcceptedInvocation' });

/** They take precedence over the fields of the body (SPEC.md, POST /v1/flows/invoke). */
export const invocationHeaders = z.object({
  'Idempotency-Key': storableText.optional().describe('Within five minutes the same key starts one run.'),
  'X-Debug-Session-Id': storableText.optional().describe('Session that gets the debug events.'),
});
