import { z } from 'zod';
import { anyJson } from './json-value.ts';

/** One event of a stream. */
export const streamFrame = z
  .object({
    execution_id: z.string().describe('Id of the execution.'),
    frame_index: z.int().describe('Position in the stream, starting at 0.'),
    payload: anyJson
      .optional()
      .describe('The output message as JSON. Absent on the last frame, and if the message has no JSON form.'),
    is_final: z.boolean().describe('Whether this is the last frame.'),
    success: z
      .literal(true)
      .optional()
      .describe('Present on the last frame of a stream that succeeded. Never `false`.'),
    input_frames: z
      .int()
      .optional()
      .describe('The last frame of a call with streamed input: number of input frames that were accepted.'),
    error: z.string().optional().describe('The last frame of a stream that failed: the error text.'),
  })
  .meta({ id: 'StreamFrame' });
