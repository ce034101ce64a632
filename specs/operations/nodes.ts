import { z } from 'zod';
import { invocationError, nodeError } from './error-shapes.ts';
import { limits } from '../limits.ts';
import { anyJson, jsonValue } from './json-value.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';
import { streamFrame } from './stream-shapes.ts';

const recorded = { 'X-Execution-Id': z.string().describe('Id of the execution that records the call.') };
const recordedIfCalled = {
  'X-Execution-Id': z.string().optional().describe('Id of the execution, if the call created one.'),
};

const timeoutHeader = z.object({
  'X-Timeout-Seconds': z
    .int()
    .min(1)
    .max(limits.maxNodeCallSeconds)
    .optional()
    .describe(`Time limit of a call of a unary node, in seconds. Default: ${limits.nodeCallMs / 1_000}.`),
});

const failedAtNode = {
  422: { description: 'The node returned an error.', shape: nodeError, headers: recordedIfCalled },
  502: {
    description: "The node's container could not be reached or sent an invalid response.",
    shape: nodeError,
    headers: recordedIfCalled,
  },
} as const;

const nodeResponses = {
  200: {
    description: "The node's output message as JSON, or the frames of a stream.",
    shape: anyJson,
    events: streamFrame,
    headers: recorded,
  },
  400: {
    description: "The body does not match the node's input message.",
    shape: nodeError,
    headers: recordedIfCalled,
  },
  404: { description: 'The node is unknown or not deployed.', shape: nodeError },
  413: { description: 'The input exceeds 16 MiB.', shape: invocationError },
  ...failedAtNode,
  429: { description: 'The rate limit or the daily quota is exceeded.', shape: invocationError },
  503: { description: 'The quota service is unavailable.', shape: invocationError },
} as const;

/** The shape differs by node: its JSON Schema describes it. */
const inputMessage = {
  kind: 'bytes',
  maxBytes: limits.inputBytes,
  shape: jsonValue.describe("The node's input message."),
  description:
    "The node's input message as JSON, without an envelope: an object for most messages. At most 16 MiB. " +
    '`GET /api/nodes/{node_ulid}/schema.json` returns its JSON Schema, and the OpenAPI document of the package contains it.',
  example: { text: 'Streams of words, words of streams.' },
  orLines: {
    maxBytes: limits.streamInput.bytes,
    maxLineBytes: limits.streamInput.frameBytes,
    shape: jsonValue.describe('One input message of a pipeline node.'),
  },
} as const;

const streams =
  'A pipeline node, and any request with `Accept: text/event-stream`, returns Server-Sent Events: one event per output ' +
  'message, and a last one with `is_final`. A stream that ends without `success: true` has failed.\n\nA pipeline node also takes ' +
  'NDJSON, one input message per line. Lines are passed on as they arrive; the output is held back until the upload has ended. The last ' +
  'frame has `input_frames`. NDJSON sent to a unary node returns 400.';

export const invokeNodeByPath = defineOperation({
  id: 'invokeNodeByPath',
  method: 'post',
  path: '/invocations/v1/nodes/{owner}/{package}/{version}/{node}',
  family: 'node',
  summary: 'Call a node by package and name',
  description: `Calls a published node and returns its output message.\n\n${streams}`,
  caller: 'full-key',
  scope: 'invoke',
  params: z.object({
    owner: storableText.describe('Handle of the publisher.'),
    package: storableText.describe('Name of the package, without the handle.'),
    version: storableText.describe(
      'The exact version. `latest` is refused: a call must not change with a publication.',
    ),
    node: storableText.describe('Name of the node.'),
  }),
  headers: timeoutHeader,
  body: inputMessage,
  responses: nodeResponses,
});

export const invokeNodeByUlid = defineOperation({
  id: 'invokeNodeByUlid',
  method: 'post',
  path: '/invocations/v1/nodes/{node_ulid}',
  family: 'node',
  summary: 'Call a node by id',
  description: `Calls a published node and returns its output message.\n\n${streams}`,
  caller: 'full-key',
  scope: 'invoke',
  params: z.object({ node_ulid: storableText.describe('26-character registry id of the node.') }),
  headers: timeoutHeader,
  body: inputMessage,
  responses: nodeResponses,
});

const binaryAnswer = z
  .object({
    success: z.boolean().describe('Whether the call succeeded.'),
    payload: z.string().optional().describe('The serialized output message, base64-encoded.'),
  })
  .meta({ id: 'BinaryAnswer' });

const binaryRefusal = nodeError
  .extend({ success: z.literal(false).describe('Always `false`.') })
  .meta({ id: 'BinaryRefusal' });

const inBinaryEnvelope = <Answer extends object>(answer: Answer) => ({ ...answer, shape: binaryRefusal });

export const invokeNodeBinary = defineOperation({
  id: 'invokeNodeBinary',
  method: 'post',
  path: '/invocations/v1/nodes/invoke',
  family: 'node',
  summary: 'Call a node with serialized messages',
  description:
    'Calls a published node with protobuf bytes instead of JSON. The bytes are checked against the current input message: an ' +
    'undeclared field number or a conflicting wire type is refused.',
  caller: 'full-key',
  scope: 'invoke',
  headers: timeoutHeader,
  body: {
    // The payload is decoded without parsing it as JSON.
    kind: 'bytes',
    // Base64 of the largest input, and room for the envelope.
    maxBytes: Math.ceil(limits.inputBytes / 3) * 4 + 1024,
    shape: z
      .object({
        node_id: storableText.describe('26-character registry id of the node.'),
        payload: z
          .base64({ error: 'must be standard base64 with padding' })
          .default('')
          .describe('The serialized input message, base64-encoded. At most 16 MiB before encoding.'),
      })
      .meta({ id: 'InvokeNodeBinary' }),
    example: { node_id: '01J9Z3K8Q4W5E6R7T8Y9V0B1N2', payload: 'CgVXb3Jkcw==' },
  },
  responses: {
    200: { description: 'The output message.', shape: binaryAnswer, headers: recorded },
    400: {
      description: 'The payload does not match the current input message.',
      shape: z.union([binaryRefusal, nodeError]),
      headers: recordedIfCalled,
    },
    404: { description: 'The node is unknown or not deployed.', shape: binaryRefusal },
    413: { description: 'The input exceeds 16 MiB.', shape: invocationError },
    422: inBinaryEnvelope(failedAtNode[422]),
    429: { description: 'The rate limit or the daily quota is exceeded.', shape: invocationError },
    502: inBinaryEnvelope(failedAtNode[502]),
    503: {
      description: 'The quota service is unavailable.',
      shape: invocationError.extend({ success: z.literal(false).describe('Always `false`.') }),
    },
  },
});
