import { z } from 'zod';
import { limits } from '../limits.ts';
import { errorExample, invocationError, invocationRefusal } from './error-shapes.ts';
import { defineOperation } from './operation.ts';

/** The body of a request to warm a flow. Unknown fields are ignored. */
export const warmFlowBody = z
  .object({
    graph_id: z
      .string()
      .optional()
      .describe(
        'Id of the flow. Required with a full key. With an app key, the default is every graph of the key.',
      ),
    tenant_id: z.unknown().optional().describe('Accepted and ignored.'),
    flow_owner: z.unknown().optional().describe('Accepted and ignored.'),
  })
  .meta({ id: 'WarmFlow' });

export const warmedFlow = z
  .object({
    warmed: z.literal(true).describe('Always `true`.'),
    graph_id: z.string().describe('Id of the flow.'),
  })
  .meta({ id: 'WarmedFlow' });

export const warmedFlows = z
  .object({
    warmed: z.literal(true).describe('Always `true`.'),
    graph_ids: z.array(z.string()).describe('Ids of the warmed graphs.'),
    held: z.array(z.string()).describe('The same as `graph_ids`.'),
    truncated_packages: z.int().describe('Number of packages over the limit, which were not warmed.'),
    window_seconds: z.int().describe('Time in seconds for which containers are expected to stay warm.'),
  })
  .meta({ id: 'WarmedFlows' });

export const warmFlow = defineOperation({
  id: 'warmFlow',
  method: 'post',
  path: '/invocations/v1/flows/warm',
  family: 'invocation',
  summary: 'Warm a flow',
  description:
    'Prepares the containers of a flow for calls, without running it. Returns immediately.\n\nAn app key without a body warms all ' +
    `of its graphs, up to ${limits.warmPackages} packages by default. An app key may warm once every 20 seconds, with a burst of ` +
    'three. Each request counts against the daily invocation quota.',
  caller: 'any-key',
  scope: 'invoke',
  body: {
    // App keys send an empty body, which is not JSON.
    kind: 'bytes',
    maxBytes: limits.warmBodyBytes,
    shape: warmFlowBody,
    isOptional: true,
    example: { graph_id: 'g_3f2c9a71' },
  },
  responses: {
    202: {
      description: 'Warming has started. A flow without deployed packages also returns 202.',
      shape: z.union([warmedFlow, warmedFlows]),
    },
    400: {
      description: '`graph_id` is missing or invalid.',
      shape: z.union([invocationError, invocationRefusal]),
    },
    403: {
      description: 'The flow belongs to another tenant, or the app key may not use it.',
      shape: invocationError,
      example: errorExample('forbidden', 'not authorized to warm this flow', { error: 'forbidden' }),
    },
    404: {
      description: 'The flow does not exist.',
      shape: invocationError,
      example: errorExample('not_found', 'flow not found', { error: 'not_found' }),
    },
    429: {
      description: 'The rate limit, the daily quota or the warm rate of the app key is exceeded.',
      shape: invocationError,
      example: errorExample('warm_rate_limited', 'the app key exceeds its warm rate: retry in 20 s', {
        error: 'warm_rate_limited',
        retry_after_seconds: 20,
      }),
    },
    503: {
      description: 'Warming is unavailable.',
      shape: invocationError,
      example: errorExample('warm_unavailable', 'warming is unavailable', {
        error: 'warm_unavailable',
        retry_after_seconds: limits.retryAfterUnavailableSeconds,
      }),
    },
  },
});
