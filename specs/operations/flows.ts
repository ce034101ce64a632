import { z } from 'zod';
import { limits } from '../limits.ts';
import { invocationError, invocationRefusal } from './error-shapes.ts';
import { acceptedInvocation, invocationHeaders, invokeFlowBody } from './flow-shapes.ts';
import { defineOperation } from './operation.ts';

/** Runs of flows (SPEC.md, Invocation routes). */
export const invokeFlow = defineOperation({
  id: 'invokeFlow',
  method: 'post',
  path: '/invocations/v1/flows/invoke',
  family: 'invocation',
  summary: 'Run a flow once',
  description:
    'Answers at once with the id of the execution, or with `wait` when the run has ended. A run that fails is answered with 202 ' +
    'too: `result.success` is false. Flows of mode pipeline, which answer with Server-Sent Events, cannot be run yet.',
  caller: 'any-key',
  scope: 'invoke',
  headers: invocationHeaders,
  // Read by the handler, which needs the text of `input` as it was sent: 64 bit numbers are exact, and retries identical.
  body: {
    kind: 'bytes',
    maxBytes: limits.invocationBodyBytes,
    shape: invokeFlowBody,
    example: { graph_id: 'g_3f2c9a71', input: { text: 'Streams of words.' }, wait: true },
  },
  responses: {
    202: { description: 'Accepted; with wait, the result or how far it got.', shape: acceptedInvocation },
    400: {
      description: 'The body is not what it should be, or the flow cannot run as it is configured.',
      shape: z.union([invocationRefusal, invocationError]),
    },
    403: {
      description: 'The key may not call this, or its tenant is suspended.',
      shape: invocationError,
      example: {
        error: 'app_key_graph_denied',
        message: 'this app key may not use graph "g_3f2c9a71": it is not one of its graph_ids',
      },
    },
    404: {
      description: "No such flow, or another tenant's; no such config profile.",
      shape: invocationError,
    },
    413: { description: 'Input over 16 MiB.', shape: invocationError },
    429: { description: 'Over the rate, or over a daily quota.', shape: invocationError },
    500: { description: 'graph_id is missing, or what nobody foresaw.', shape: invocationRefusal },
    503: { description: 'The run could not be queued, or its input not be stored.', shape: invocationError },
  },
});
