import { z } from 'zod';
import { invocationError, nodeError } from './error-shapes.ts';
import { limits } from '../limits.ts';
import { jsonValue } from './json-value.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const recorded = { 'X-Execution-Id': z.string().describe('Id of the execution that records the call.') };
const recordedIfCalled = {
  'X-Execution-Id': z.string().optional().describe('Id of the execution, if the call got one.'),
};

const failedAtNode = {
  422: { description: 'The node returned an error.', shape: nodeError, headers: recordedIfCalled },
  501: { description: 'The node streams; streaming calls are not available yet.', shape: nodeError },
  502: {
    description: "The node's container could not be reached or did not answer as it should.",
    shape: nodeError,
    headers: recordedIfCalled,
  },
} as const;

const nodeResponses = {
  200: { description: "The node's output message as JSON.", shape: jsonValue, headers: recorded },
  400: {
    description: "The body does not fit the node's input message.",
    shape: nodeError,
    headers: recordedIfCalled,
  },
  404: { description: 'Unknown or undeployed node.', shape: nodeError },
  413: { description: 'Input over 16 MiB.', shape: invocationError },
  ...failedAtNode,
  503: { description: 'How much of the quota is left cannot be told.', shape: invocationError },
} as const;

/** Known for each node by its JSON Schema, not for all of them. */
const inputMessage = {
  kind: 'bytes',
  maxBytes: limits.inputBytes,
  shape: jsonValue.describe("The node's input message, without an envelope."),
  description:
    "The node's input message as JSON, of any kind that the message has: an object for most. " +
    '`GET /api/nodes/{node_ulid}/schema.json` tells its JSON Schema, and the OpenAPI document of the package has it ' +
    'under the path of the node. At most 16 MiB.',
  example: { text: 'Streams of words, words of streams.' },
} as const;

const streams =
  'Pipeline nodes, which answer with Server-Sent Events or take NDJSON, cannot be called yet: they are answered with 501, ' +
  'and a request that asks a unary node for either with 501 and 400.';

/** Direct calls of one published node (SPEC.md, Single node). */
export const invokeNodeByPath = defineOperation({
  id: 'invokeNodeByPath',
  method: 'post',
  path: '/invocations/v1/nodes/{owner}/{package}/{version}/{node}',
  family: 'node',
  summary: 'Call a node by its package path',
  description: `Sends the body to the node's container and gives its answer. ${streams}`,
  caller: 'full-key',
  scope: 'invoke',
  params: z.object({
    owner: storableText.describe("The publisher's handle."),
    package: storableText.describe('Name of the package, without the handle.'),
    version: storableText.describe('A version, or `latest`: the highest release.'),
    node: storableText.describe('Name of the node.'),
  }),
  body: inputMessage,
  responses: nodeResponses,
});

export const invokeNodeByUlid = defineOperation({
  id: 'invokeNodeByUlid',
  method: 'post',
  path: '/invocations/v1/nodes/{node_ulid}',
  family: 'node',
  summary: 'Call a node by its registry id',
  description: `Sends the body to the node's container and gives its answer. ${streams}`,
  caller: 'full-key',
  scope: 'invoke',
  params: z.object({ node_ulid: storableText.describe("The node's 26-character registry id.") }),
  body: inputMessage,
  responses: nodeResponses,
});

const binaryAnswer = z
  .object({
    success: z.boolean().describe('Whether the node was called and gave an output.'),
    payload: z.string().optional().describe('Base64 of the serialized output message.'),
    error_message: z.string().optional().describe('What is wrong, in words.'),
    execution_id: z.string().optional().describe('Of the record of the call, if a refusal has one.'),
  })
  .meta({ id: 'BinaryAnswer' });

const inBinaryEnvelope = <Answer extends object>(answer: Answer) => ({ ...answer, shape: binaryAnswer });

export const invokeNodeBinary = defineOperation({
  id: 'invokeNodeBinary',
  method: 'post',
  path: '/invocations/v1/nodes/invoke',
  family: 'node',
  summary: 'Call a node with serialized messages',
  description:
    'For callers that have protobuf bytes. They are held to the current input message: a field number that it does not ' +
    'declare, or a wire type that conflicts with the declared kind, is refused.',
  caller: 'full-key',
  scope: 'invoke',
  body: {
    kind: 'json',
    // Base64 of the largest input, and room for the envelope.
    maxBytes: Math.ceil(limits.inputBytes / 3) * 4 + 1024,
    shape: z
      .object({
        node_id: storableText.describe("The node's 26-character registry id."),
        payload: z.base64().default('').describe('Base64 of the serialized input message, at most 16 MiB.'),
      })
      .meta({ id: 'InvokeNodeBinary' }),
    example: { node_id: '01J9Z3K8Q4W5E6R7T8Y9V0B1N2', payload: 'CgVXb3Jkcw==' },
  },
  responses: {
    200: { description: "The node's answer.", shape: binaryAnswer, headers: recorded },
    400: {
      description: 'The payload does not match the current input schema.',
      shape: z.union([binaryAnswer, nodeError]),
      headers: recordedIfCalled,
    },
    404: { description: 'Unknown or undeployed node.', shape: binaryAnswer },
    413: { description: 'Input over 16 MiB.', shape: invocationError },
    422: inBinaryEnvelope(failedAtNode[422]),
    429: { description: 'Over the rate, or over a daily quota.', shape: invocationError },
    501: inBinaryEnvelope(failedAtNode[501]),
    502: inBinaryEnvelope(failedAtNode[502]),
    503: {
      description: 'How much of the quota is left cannot be told.',
      shape: invocationError.extend({ success: z.literal(false).describe('The node was not called.') }),
    },
  },
});
