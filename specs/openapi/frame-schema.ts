import type { MediaTypeObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas30';
import { described } from './described.ts';
import { exampleOf } from './example.ts';
import { executionId } from './invocation-parts.ts';

type Schema = SchemaObject | ReferenceObject;

const exampleId = '5f0c9a1d2b3e4f60718293a4b5c6d7e8';

/**
 * Describes a stream of Server-Sent Events. OpenAPI 3.0 has no schema for a stream, so schema and example describe one frame,
 * which each event carries as JSON in its `data` line.
 *
 * @param output schema of the output message
 * @param sample a valid output message
 */
export function frameContent(output: Schema, sample: unknown): Record<string, MediaTypeObject> {
  const example = { execution_id: exampleId, frame_index: 0, payload: sample, is_final: false };
  return { 'text/event-stream': { schema: frameSchema(output), ...exampleOf(example) } };
}

function frameSchema(output: Schema): SchemaObject {
  return {
    type: 'object',
    required: ['execution_id', 'frame_index', 'is_final'],
    properties: {
      execution_id: executionId,
      frame_index: { type: 'integer', minimum: 0, description: 'Position in the stream.' },
      payload: described(output, 'The output message. Absent on the last frame.'),
      is_final: { type: 'boolean', description: 'The stream ends after this frame.' },
      success: {
        type: 'boolean',
        enum: [true],
        description:
          'On the last frame of a stream that succeeded. A last frame without it reports a failure.',
      },
      input_frames: {
        type: 'integer',
        description:
          'On the last frame of a call with streamed input: number of input messages that were accepted.',
      },
      error: { type: 'string', description: 'On the last frame of a stream that failed: the error text.' },
    },
  };
}
