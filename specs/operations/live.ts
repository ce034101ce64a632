import { z } from 'zod';
import { limits } from '../limits.ts';
import { invocationError, nodeError } from './error-shapes.ts';
import { jsonValue } from './json-value.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';
import { streamFrame } from './stream-shapes.ts';

const sessionReady = z
  .object({
    type: z.literal('SESSION_READY').describe('Always `SESSION_READY`. The first message.'),
    execution_id: z.string().describe('Id of the session. There is no record of it.'),
    timestamp_ms: z.int().describe('Time of the message in epoch milliseconds.'),
    ephemeral: z.literal(true).describe('Always `true`.'),
    contract: z.string().describe('What the session does not guarantee.'),
    limits: z
      .object({
        input_frame_bytes: z.int().describe('Maximum bytes of one message from the client.'),
        input_bytes: z.int().describe('Maximum bytes of all messages from the client.'),
        input_frames: z.int().describe('Maximum number of messages from the client.'),
        output_bytes: z.int().describe('Maximum bytes of the output messages as JSON.'),
        session_seconds: z.int().describe('Maximum duration of the session in seconds.'),
        stall_seconds: z.int().describe('Seconds within which the client must accept a message.'),
      })
      .describe('Limits of the session.'),
  })
  .meta({ id: 'LiveSessionReady' });

const common = {
  method: 'get',
  family: 'node',
  caller: 'full-key',
  scope: 'write',
  description:
    'A WebSocket. Sends `SESSION_READY`, and then the output messages of the node as frames. Each message of the client is one input ' +
    'message of the node. The session ends with a frame with `is_final` and code 1000, or when the client closes the socket. It is ' +
    'not recorded, lives in one process, and cannot be continued. A client that does not keep up is closed with 1013.',
  responses: {
    101: {
      description: 'A WebSocket.',
      socket: {
        sends: z.union([sessionReady, streamFrame]),
        receives: {
          // Leaves room for a frame that is a little too large, so that it gets an error that says so.
          maxBytes: limits.streamInput.frameBytes + 65_536,
          shape: jsonValue.describe('One input message of the node.'),
        },
      },
    },
    400: { description: 'The node takes no stream.', shape: nodeError },
    404: { description: 'The node is unknown or not deployed.', shape: nodeError },
    429: {
      description: '`inflight_exceeded`: the tenant has too many open executions.',
      shape: invocationError,
    },
    502: {
      description: "The node's container could not be reached.",
      shape: nodeError,
      headers: { 'X-Execution-Id': z.string().optional().describe('Id of the session.') },
    },
    503: { description: 'The quota service is unavailable.', shape: invocationError },
  },
} as const;

export const openLiveByPath = defineOperation({
  ...common,
  id: 'openLiveByPath',
  path: '/invocations/v1/nodes/{owner}/{package}/{version}/{node}/live',
  summary: 'Open a live session with a node by package and name',
  params: z.object({
    owner: storableText.describe('Handle of the publisher.'),
    package: storableText.describe('Name of the package, without the handle.'),
    version: storableText.describe('The exact version. `latest` is not accepted.'),
    node: storableText.describe('Name of the node.'),
  }),
});

export const openLiveByUlid = defineOperation({
  ...common,
  id: 'openLiveByUlid',
  path: '/invocations/v1/nodes/{node_ulid}/live',
  summary: 'Open a live session with a node by id',
  params: z.object({ node_ulid: storableText.describe('26-character registry id of the node.') }),
});
