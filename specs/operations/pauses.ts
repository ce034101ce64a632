import { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import { limits } from '../limits.ts';
import { pauseStatuses } from '../pause-status.ts';
import { cursor, nextCursor, pageSize, repeatable } from './page-query.ts';
import { errorExample, invocationError } from './error-shapes.ts';
import { anyJson } from './json-value.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const pauseStatus = z.enum(pauseStatuses).meta({ id: 'PauseStatus' });

const pauseRecord = z
  .object({
    pause_id: z.string().describe('Id of the pause, which the resume request names.'),
    execution_id: z.string().describe('Id of the execution.'),
    graph_id: z.string().optional().describe('The flow of the execution.'),
    node_name: z.string().describe('Id of the node that asks.'),
    status: pauseStatus.describe('Status. All but `WAITING` are final.'),
    interrupt_payload: anyJson
      .optional()
      .describe(
        'The question of the node. Left out of a list after the first 8 MiB of questions and decisions.',
      ),
    resume_schema: z.string().describe('Full name of the message that the decision must fit.'),
    timeout_policy: z
      .literal('CANCEL')
      .describe('What happens when the pause expires: the execution is cancelled.'),
    checkpoint_id: z.string().describe('Id of the checkpoint at the pause.'),
    created_at: z.string().describe('Time of creation, ISO 8601 in UTC.'),
    expires_at: z.string().describe('Time of expiry, ISO 8601 in UTC.'),
    resume_url: z
      .string()
      .optional()
      .describe(
        'Waiting pauses, for full keys with the scope `invoke`: a link that decides on the pause without a key. Treat it as a secret.',
      ),
    resumed_at: z.string().nullable().describe('Time of the decision, ISO 8601 in UTC, or `null`.'),
    escalated_at: z.string().nullable().describe('Time of the escalation, ISO 8601 in UTC, or `null`.'),
    resumed_by: z.string().optional().describe('Who decided, as the caller named them.'),
    resume_value: anyJson
      .optional()
      .describe(
        `The decision, without what looks like a secret. \`null\` for none, for one over ${limits.recordedDecisionBytes} bytes, and for a string that cannot be decoded as the message.`,
      ),
  })
  .meta({ id: 'Pause' });

const executionParams = z.object({ execution_id: storableText.describe('Id of the execution.') });

/** The body of a resume request. Unknown fields are ignored. */
export const resumeBody = z
  .object({
    pause_id: storableText.min(1).describe('Id of the pause.'),
    value: z
      .unknown()
      .optional()
      .describe(
        "The decision, which becomes the node's input: an object with the fields of the message, or a string with the " +
          'serialized message, base64-encoded. Absent or `null`: the default of every field.',
      ),
    resumed_by: storableText
      .max(limits.resumedByCharacters)
      .optional()
      .describe('Who decided, for the record of the pause.'),
  })
  .meta({ id: 'ResumeFlow' });

/** Headers of a decision. A decision that is repeated with the same key counts as one decision. */
export const resumeHeaders = z.object({
  'Idempotency-Key': storableText
    .optional()
    .describe('The same decision with the same key is one decision, so that a request can be repeated.'),
});

/** The response to a decision. */
export const resumedPause = z
  .object({
    pause_id: z.string().describe('Id of the pause.'),
    status: pauseStatus.describe('Status of the pause.'),
    resumed_at: z.string().describe('Time of the decision, ISO 8601 in UTC.'),
    resumed_by: z.string().optional().describe('Who made the decision that won, as the caller named them.'),
    resume_value: anyJson.describe(
      'The decision that won, without what looks like a secret. `null` for none, for a large one, and for a string that cannot be decoded as the message.',
    ),
    already_resumed: z
      .boolean()
      .describe(
        'Whether another decision came first. False for the decision that won, sent again with its `Idempotency-Key`.',
      ),
  })
  .meta({ id: 'ResumedPause' });

/** Headers of the response to a decision. */
export const resumedHeaders = {
  'Idempotency-Replayed': z
    .literal('true')
    .optional()
    .describe('The response is that of an earlier request with the same decision and key.'),
};

const refusal = (error: Uppercase<ErrorCode>, message: string) => ({
  shape: invocationError,
  example: errorExample(error.toLowerCase() as ErrorCode, message, { error }),
});

export const resumeFlow = defineOperation({
  id: 'resumeFlow',
  method: 'post',
  path: '/invocations/v1/flows/{execution_id}/resume',
  family: 'invocation',
  summary: 'Resume a paused run',
  description:
    'Delivers a decision to a run that waits for one. The node that asked starts again with the decision as its input. The first ' +
    'decision on a pause wins; later ones are recorded and get `already_resumed`. A request may be repeated safely.',
  caller: 'any-key',
  scope: 'invoke',
  params: executionParams,
  headers: resumeHeaders,
  // The handler needs the text of `value` as it was sent, because parsing would lose the precision of 64-bit numbers.
  body: {
    kind: 'bytes',
    maxBytes: limits.invocationBodyBytes,
    shape: resumeBody,
    example: {
      pause_id: '01JD9C0XKQ5W1V9M3R7T2Y8ZBN',
      value: { decision: { approved: true } },
      resumed_by: 'ann@example.com',
    },
  },
  responses: {
    200: {
      description: 'The run continues, or another decision came first.',
      shape: resumedPause,
      headers: resumedHeaders,
    },
    400: {
      description:
        '`INVALID_ARGUMENT`: the body is invalid. `PAUSE_EXECUTION_MISMATCH`: the pause belongs to another execution. ' +
        '`INVALID_RESUME_VALUE`: the value does not fit, or is over 16 MiB; the pause still waits.',
      ...refusal('INVALID_ARGUMENT', 'pause_id: is required'),
    },
    404: {
      description: '`EXECUTION_NOT_FOUND` or `PAUSE_NOT_FOUND`.',
      ...refusal('PAUSE_NOT_FOUND', 'pause not found'),
    },
    409: {
      description:
        '`PAUSE_NOT_WAITING`: the pause has expired or was cancelled. `EXECUTION_NOT_RESUMABLE`: the run has ended.',
      ...refusal('PAUSE_NOT_WAITING', 'the pause has expired'),
    },
    429: {
      description: 'The rate limit or the daily quota of invocations is exceeded.',
      shape: invocationError,
    },
    503: { description: '`UNAVAILABLE`: a dependency is down. Repeat the request.', shape: invocationError },
  },
});

export const listExecutionPauses = defineOperation({
  id: 'listExecutionPauses',
  method: 'get',
  path: '/invocations/v1/executions/{execution_id}/pauses',
  family: 'invocation',
  summary: 'List pauses of an execution',
  description: 'Lists the pauses of a run in the order of their creation. An unknown execution has none.',
  caller: 'any-key',
  scope: 'read',
  params: executionParams,
  responses: {
    200: {
      description: 'The pauses.',
      shape: z.object({ pauses: z.array(pauseRecord).describe('The pauses, oldest first.') }),
    },
  },
});

export const listPauses = defineOperation({
  id: 'listPauses',
  method: 'get',
  path: '/invocations/v1/pauses',
  family: 'invocation',
  summary: 'List pauses',
  description:
    'Lists the pauses of all executions of the tenant, newest first: with `status=WAITING`, the inbox of those who decide.',
  caller: 'full-key',
  scope: 'read',
  query: z.object({
    status: repeatable(pauseStatus).describe('Only pauses with this status. Repeatable.'),
    cursor: cursor.optional(),
    limit: pageSize,
  }),
  responses: {
    200: {
      description: 'A page of pauses. Large questions and decisions make it shorter than the limit.',
      shape: z.object({
        pauses: z.array(pauseRecord).describe('The pauses, newest first.'),
        next_cursor: nextCursor,
      }),
    },
  },
});
