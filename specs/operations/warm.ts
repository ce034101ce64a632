import { z } from 'zod';
import { limits } from '../limits.ts';
import { invocationError, invocationRefusal } from './error-shapes.ts';
import { defineOperation } from './operation.ts';

/** What a caller may send; unknown fields are ignored, and so is whom it says that it is. */
export const warmFlowBody = z
  .object({
    graph_id: z
      .string()
      .optional()
      .describe('Required with a full key; left out with an app key: every graph of the key.'),
    tenant_id: z.unknown().optional().describe('Ignored.'),
    flow_owner: z.unknown().optional().describe('Ignored.'),
  })
  .meta({ id: 'WarmFlow' });

const warmedFlow = z
  .object({
    warmed: z.literal(true).describe('Under way.'),
    graph_id: z.string().describe('The flow.'),
  })
  .meta({ id: 'WarmedFlow' });

const warmedFlows = z
  .object({
    warmed: z.literal(true).describe('Under way.'),
    graph_ids: z.array(z.string()).describe('Every graph that was meant.'),
    held: z.array(z.string()).describe('The same.'),
    truncated_packages: z.int().describe('Packages beyond the cap, which were left as they are.'),
    window_seconds: z.int().describe('How long containers are taken to stay warm.'),
  })
  .meta({ id: 'WarmedFlows' });

/** SPEC.md, POST /v1/flows/warm. */
export const warmFlow = defineOperation({
  id: 'warmFlow',
  method: 'post',
  path: '/invocations/v1/flows/warm',
  family: 'invocation',
  summary: "Get a flow's containers ready",
  description:
    'Runs nothing and waits for nothing: whoever comes next finds the containers ready. An app key that sends no body warms ' +
    `every graph it was minted for, at most ${limits.warmPackages} packages of them unless the operator chose another number; ` +
    "it may do so once in 20 seconds, three times at once. Each counts as one of the day's invocations.",
  caller: 'any-key',
  scope: 'invoke',
  body: {
    // An app key sends none at all, which is no JSON.
    kind: 'bytes',
    maxBytes: limits.warmBodyBytes,
    shape: warmFlowBody,
    isOptional: true,
    example: { graph_id: 'g_3f2c9a71' },
  },
  responses: {
    202: {
      description: 'Under way, whether or not anything is deployed.',
      shape: z.union([warmedFlow, warmedFlows]),
    },
    400: {
      description: 'graph_id is missing or cannot be one.',
      shape: z.union([invocationError, invocationRefusal]),
    },
    403: {
      description: "Another tenant's flow, or one that the app key was not minted for.",
      shape: invocationError,
      example: { error: 'forbidden', message: 'not authorized to warm this flow' },
    },
    404: {
      description: 'No such flow.',
      shape: invocationError,
      example: { error: 'not_found', message: 'flow not found' },
    },
    429: {
      description: 'Over the rate, over the daily quota, or an app key that warms too often.',
      shape: invocationError,
      example: {
        error: 'warm_rate_limited',
        message: 'this app key warms too often: wait 20 s',
        retry_after_seconds: 20,
      },
    },
    503: {
      description: 'Nothing is warmed here for now.',
      shape: invocationError,
      example: {
        error: 'warm_unavailable',
        message: 'nothing is warmed here for now',
        retry_after_seconds: limits.retryAfterUnavailableSeconds,
      },
    },
  },
});
