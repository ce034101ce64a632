import { z } from 'zod';
import { invocationError, nodeError } from './error-shapes.ts';
import { limits } from '../limits.ts';
import { jsonValue } from './json-value.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const recorded = { 'X-Execution-Id': z.string().describe('Id of the execution that records the call.') };

const nodeResponses = {
  200: { description: "The node's output message as JSON.", shape: jsonValue, headers: recorded },
  400: { description: "The body does not fit the node's input message.", shape: nodeError },
  404: { description: 'Unknown or undeployed node.', shape: nodeError },
  413: { description: 'Input over 16 MiB.', shape: invocationError },
  422: { description: 'The node returned an error.', shape: nodeError },
  501: { description: 'The node streams; streaming calls are not available yet.', shape: nodeError },
  502: {
    description: "The node's container could not be reached or did not answer as it should.",
    shape: nodeError,
  },
  503: { description: 'How much of the quota is left cannot be told.', shape: invocationError },
} as const;

/** Direct calls of one published node (SPEC.md, Single node). */
export const invokeNodeByPath = defineOperation({
  id: 'invokeNodeByPath',
  method: 'post',
  path: '/invocations/v1/nodes/{owner}/{package}/{version}/{node}',
  family: 'node',
  summary: 'Call a node by its package path',
  caller: 'full-key',
  scope: 'invoke',
  params: z.object({ owner: storableText, package: storableText, version: storableText, node: storableText }),
  body: { kind: 'bytes', maxBytes: limits.inputBytes },
  responses: nodeResponses,
});

export const invokeNodeByUlid = defineOperation({
  id: 'invokeNodeByUlid',
  method: 'post',
  path: '/invocations/v1/nodes/{node_ulid}',
  family: 'node',
  summary: 'Call a node by its registry id',
  caller: 'full-key',
  scope: 'invoke',
  params: z.object({ node_ulid: storableText }),
  body: { kind: 'bytes', maxBytes: limits.inputBytes },
  responses: nodeResponses,
});

const binaryAnswer = z
  .object({
    success: z.boolean(),
    payload: z.string().optional().describe('Base64 of the serialized output message.'),
    error_message: z.string().optional(),
  })
  .meta({ id: 'BinaryAnswer' });

export const invokeNodeBinary = defineOperation({
  id: 'invokeNodeBinary',
  method: 'post',
  path: '/invocations/v1/nodes/invoke',
  family: 'node',
  summary: 'Call a node with serialized messages',
  caller: 'full-key',
  scope: 'invoke',
  body: {
    kind: 'json',
    // Base64 of the largest input, and room for the envelope.
    maxBytes: Math.ceil(limits.inputBytes / 3) * 4 + 1024,
    shape: z.object({
      node_id: storableText.describe("The node's 26-character registry id."),
      payload: z.base64().default('').describe('Base64 of the serialized input message.'),
    }),
  },
  responses: {
    200: { description: "The node's answer.", shape: binaryAnswer },
    400: {
      description: 'The payload does not match the current input schema.',
      shape: z.union([binaryAnswer, nodeError]),
    },
    404: { description: 'Unknown or undeployed node.', shape: binaryAnswer },
    413: { description: 'Input over 16 MiB.', shape: invocationError },
    422: { description: 'The node returned an error.', shape: binaryAnswer },
    429: { description: 'Over the rate, or over a daily quota.', shape: invocationError },
    501: { description: 'The node streams; streaming calls are not available yet.', shape: binaryAnswer },
    502: {
      description: "The node's container could not be reached or did not answer as it should.",
      shape: binaryAnswer,
    },
    503: {
      description: 'How much of the quota is left cannot be told.',
      shape: invocationError.extend({ success: z.literal(false) }),
    },
  },
});
