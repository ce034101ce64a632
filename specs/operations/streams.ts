import { z } from 'zod';
import { limits } from '../limits.ts';
import { invocationError, nodeError } from './error-shapes.ts';
import { jsonValue } from './json-value.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';
import { streamFrame } from './stream-shapes.ts';

const common = { family: 'node', caller: 'full-key', scope: 'invoke' } as const;

const streamParams = z.object({ stream_id: storableText.describe('Id of the stream.') });

const unknownStream = {
  description: 'The stream is unknown or expired, or belongs to another tenant.',
  shape: nodeError,
};

const executionId = { 'X-Execution-Id': z.string().describe('Id of the execution that records the call.') };

const recordedIfCalled = { 'X-Execution-Id': executionId['X-Execution-Id'].optional() };

const createdStream = z
  .object({
    stream_id: z.string().describe('Id of the stream.'),
    input_url: z.string().describe('Address that takes the input.'),
    output_url: z.string().describe('Address of the output.'),
    expires_in: z.int().describe('Seconds for which the stream accepts its upload and readers.'),
  })
  .meta({ id: 'CreatedStream' });

export const createStream = defineOperation({
  ...common,
  id: 'createStream',
  method: 'post',
  path: '/invocations/v1/nodes/streams',
  summary: 'Create a stream of a pipeline node',
  description:
    'Creates a stream whose input and output are requests of their own. The node is called once the upload begins. The stream takes ' +
    `one upload and any number of readers for ${limits.splitStreamSeconds / 60} minutes.`,
  body: {
    kind: 'json',
    maxBytes: limits.streamBodyBytes,
    shape: z
      .object({
        node_ref: storableText.describe(
          '`{owner}/{package}/{version}/{node}`, or the registry id of the node.',
        ),
      })
      .meta({ id: 'CreateStream' }),
    example: { node_ref: 'acme/streams/1.0.0/ParseLogs' },
  },
  responses: {
    201: { description: 'The stream.', shape: createdStream },
    400: { description: 'The reference is invalid, or the node takes no stream.', shape: nodeError },
    404: { description: 'The node is unknown or not deployed.', shape: nodeError },
  },
});

const uploadedStream = z
  .object({
    stream_id: z.string().describe('Id of the stream.'),
    execution_id: z.string().describe('Id of the execution.'),
    input_frames: z
      .int()
      .describe('Number of input frames that were accepted. Compare it with the number that you sent.'),
  })
  .meta({ id: 'UploadedStream' });

export const uploadStream = defineOperation({
  ...common,
  id: 'uploadStream',
  method: 'post',
  path: '/invocations/v1/nodes/streams/{stream_id}/input',
  summary: 'Upload the input of a stream',
  description:
    'Passes one input message per line to the node as it arrives. A stream takes one upload. The response follows when the node has ended ' +
    'and all of its output is stored; the last event of the output says whether the node succeeded.',
  params: streamParams,
  body: {
    kind: 'lines',
    maxBytes: limits.streamInput.bytes,
    maxLineBytes: limits.streamInput.frameBytes,
    shape: jsonValue.describe('One input message of the node.'),
    example: { text: '2026-01-31T12:00:00Z ERROR The disk is full.\n' },
  },
  responses: {
    200: { description: 'The upload has ended.', shape: uploadedStream, headers: executionId },
    400: {
      description: "The first frame does not match the node's input message.",
      shape: nodeError,
      headers: recordedIfCalled,
    },
    404: { description: 'The stream or its node is unknown.', shape: nodeError },
    409: { description: 'The stream already has an upload.', shape: nodeError },
    413: {
      description: 'The first frame, or the body, exceeds its limit.',
      shape: invocationError,
      headers: recordedIfCalled,
    },
    502: {
      description: "The node's container could not be reached.",
      shape: nodeError,
      headers: recordedIfCalled,
    },
    429: { description: 'The rate limit or the daily quota is exceeded.', shape: invocationError },
    503: { description: 'The quota service is unavailable.', shape: invocationError },
  },
});

export const readStream = defineOperation({
  ...common,
  id: 'readStream',
  method: 'get',
  path: '/invocations/v1/nodes/streams/{stream_id}/output',
  summary: 'Read the output of a stream',
  description:
    'Sends the output from the beginning, one event per output message and a last one with `is_final`, as soon as it is stored. A stream ' +
    'may have several readers, before, during and after the upload. Each event has an `id`; a reader that comes back sends the id of the ' +
    'last event that it has, and gets the ones after it.',
  params: streamParams,
  headers: z.object({
    'Last-Event-ID': z.string().optional().describe('Id of the last event that the reader has.'),
  }),
  responses: {
    200: { description: 'The frames of the stream.', events: streamFrame, headers: executionId },
    204: { description: 'The reader has the last event.' },
    400: { description: 'The id is not one of an event of this stream.', shape: nodeError },
    404: unknownStream,
  },
});
