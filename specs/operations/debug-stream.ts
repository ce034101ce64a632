import { z } from 'zod';
import { limits } from '../limits.ts';
import { invocationError, managementError } from './error-shapes.ts';
import { decode, executionEvent } from './executions.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const sessionReady = z
  .object({
    type: z.literal('SESSION_READY').describe('Always `SESSION_READY`. The first message.'),
    session_id: z.string().describe('The requested session.'),
    execution_id: z.string().optional().describe('Id of the execution. Absent for a topic.'),
    timestamp_ms: z.int().describe('Time of the message in epoch milliseconds.'),
    replay_events: z.int().describe('Maximum number of past events that are replayed.'),
  })
  .meta({ id: 'SessionReady' });

export const debugStream = defineOperation({
  id: 'debugStream',
  method: 'get',
  path: '/invocations/v1/debug-stream',
  family: 'invocation',
  caller: 'any-key',
  scope: 'read',
  summary: 'Follow an execution',
  description:
    `A WebSocket. Sends \`SESSION_READY\`, replays at most the latest ${limits.followReplay.events} events, and then sends new ` +
    'events as they happen. It closes with 1000 after the last event of an execution.',
  query: z.object({
    session_id: storableText.describe(
      'Id of an execution, or the `debug_session_id` of invocations of the last hour.',
    ),
    decode,
  }),
  responses: {
    101: {
      description: 'A WebSocket. Each of its messages is an event as JSON. It takes no messages.',
      socket: { sends: z.union([sessionReady, executionEvent]) },
    },
    404: {
      description:
        'The session is unknown, belongs to another tenant, or was not started by the calling app key.',
      shape: managementError,
    },
    429: {
      description: '`too_many_followers`: the tenant already follows too many runs.',
      shape: invocationError,
    },
  },
});
