import { z } from 'zod';
import { limits } from '../limits.ts';
import { errorExample, invocationError, invocationRefusal } from './error-shapes.ts';
import { acceptedInvocation, invocationHeaders, invokeFlowBody } from './flow-shapes.ts';
import { streamFrame } from './stream-shapes.ts';
import { defineOperation } from './operation.ts';

const refusals = {
  400: {
    description: 'The body is invalid, or the flow cannot run with its configuration.',
    shape: z.union([invocationRefusal, invocationError]),
  },
  403: {
    description: 'The key may not invoke the flow, or its tenant is suspended.',
    shape: invocationError,
    example: errorExample(
      'app_key_graph_denied',
      'graph "g_3f2c9a71" is not one of the graph_ids of this app key',
      { error: 'app_key_graph_denied' },
    ),
  },
  404: {
    description: 'The flow or the config profile does not exist.',
    shape: invocationError,
  },
  413: { description: 'The input exceeds 16 MiB.', shape: invocationError },
  429: { description: 'The rate limit or a daily quota is exceeded.', shape: invocationError },
  500: { description: 'Unexpected error, for example a missing `graph_id`.', shape: invocationRefusal },
  503: {
    description: 'The run could not be queued, or its input could not be stored.',
    shape: invocationError,
  },
} as const;

export const invokeFlow = defineOperation({
  id: 'invokeFlow',
  method: 'post',
  path: '/invocations/v1/flows/invoke',
  family: 'invocation',
  summary: 'Invoke a flow',
  description:
    'Runs a compiled flow once. Returns the execution id immediately or, with `wait`, the result of the run. A failed run also ' +
    'returns 202, with `result.success` set to `false`.\n\nA flow of mode `pipeline` is invoked with `/v1/flows/invoke/stream`.',
  caller: 'any-key',
  scope: 'invoke',
  headers: invocationHeaders,
  // The handler needs the text of `input` as it was sent, because parsing would lose the precision of 64-bit numbers.
  body: {
    kind: 'bytes',
    maxBytes: limits.invocationBodyBytes,
    shape: invokeFlowBody,
    example: { graph_id: 'g_3f2c9a71', input: { text: 'Streams of words.' }, wait: true },
  },
  responses: {
    202: {
      description: 'The flow runs. With `wait`, the response contains its result or its status.',
      shape: acceptedInvocation,
      headers: {
        'Idempotency-Replayed': z
          .literal('true')
          .optional()
          .describe(
            'The response is that of the run which an earlier request with the same key has started.',
          ),
        'Idempotency-Mismatch': z
          .enum(['graph_id', 'input', 'graph_id, input'])
          .optional()
          .describe(
            'How the earlier request with the same key differs: another flow (`graph_id`), another input (`input`), or both.',
          ),
      },
    },
    ...refusals,
  },
});

export const streamFlow = defineOperation({
  id: 'streamFlow',
  method: 'post',
  path: '/invocations/v1/flows/invoke/stream',
  family: 'invocation',
  summary: 'Stream a pipeline flow',
  description:
    'Runs a flow of mode `pipeline` and sends the output messages of its terminal node as Server-Sent Events, one event per message ' +
    'and a last one with `is_final`. A stream that ends without `success: true` has failed. `timeout_seconds` limits the run. ' +
    '`wait` and `idempotency_key` do not apply: each request starts a run.',
  caller: 'any-key',
  scope: 'invoke',
  headers: invocationHeaders.omit({ 'Idempotency-Key': true }),
  body: {
    kind: 'bytes',
    maxBytes: limits.invocationBodyBytes,
    shape: invokeFlowBody,
    example: { graph_id: 'g_3f2c9a71', input: { text: 'Streams of words.' }, timeout_seconds: 300 },
  },
  responses: {
    200: {
      description: 'The frames of the run.',
      events: streamFrame,
      headers: { 'X-Execution-Id': z.string().describe('Id of the execution.') },
    },
    ...refusals,
  },
});
