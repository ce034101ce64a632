import { z } from 'zod';
import { limits } from '../limits.ts';
import { fieldExpressions } from './graph-shapes.ts';
import { jsonValue } from './json-value.ts';
import { messageDraftShape } from './message-draft.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const messageName = z
  .string()
  .describe(
    'Full name of a published message, or `<handle>/<package>[@<version>]:<full name>` for the message of one package.',
  );

/** The handler checks the message, with errors that contain the path within a draft. */
const messageSlot = jsonValue.meta({
  documentedAs: z.union([messageName, messageDraftShape]),
  description: 'Name or draft of a message.',
});

const edgeId = storableText.min(1, { error: 'is required' }).max(128);

const previewSource = z.strictObject({
  edge_id: edgeId.describe('Id of the edge, used by the expressions of a compose plan.'),
  msg_name: messageSlot,
  sample: jsonValue.describe('Sample message as JSON.'),
});

/** The expression of one field. Without an edge in the expression, it reads `src_edge_id`. */
const composeBinding = z.strictObject({
  field: storableText.describe('Field path of the target message.'),
  expression: storableText.describe('A field pick, literal, transform or CEL expression.'),
  src_edge_id: edgeId.optional().describe('Edge that the expression reads by default.'),
});

const composeMapping = z.strictObject({
  edge_adapters: z
    .record(edgeId, fieldExpressions)
    .default({})
    .describe('By edge id: expressions by field path of the target message, which read that edge.'),
  compose_plan: z
    .union([fieldExpressions, z.array(composeBinding)], {
      error: 'must be an object of expressions by field path, or a list of {field, expression, src_edge_id}',
    })
    .default({})
    .describe('Expressions by field path, as `edge_id:a.b`, or a list of bindings with their edges.'),
});

export const previewBody = z
  .strictObject({
    dst_msg_name: messageSlot,
    sources: z
      .array(previewSource)
      .min(1, { error: 'needs at least one entry' })
      .max(limits.previewSources, { error: `has more than ${limits.previewSources} entries` })
      .describe('Sample messages. With `adapter`, exactly one.'),
    adapter: fieldExpressions.optional().describe('Expressions by field path of the target message.'),
    compose_mapping: composeMapping
      .optional()
      .describe('Mapping of several edges. Exactly one of `adapter` and `compose_mapping` is required.'),
  })
  .meta({ id: 'PreviewAdapter' });

/** A parsed request for a preview. The handler checks that it has exactly one mapping. */
export type PreviewBody = z.infer<typeof previewBody>;

export const previewOutcome = z.union([
  z.object({ output: z.unknown().describe('The target message as JSON.') }),
  z.object({ error: z.string().describe('Error text of the mapping.') }),
]);

const previewExample = {
  dst_msg_name: { message_name: 'Greeting', fields: { text: 'string' } },
  sources: [
    {
      edge_id: 'person',
      msg_name: { message_name: 'Person', fields: { name: 'string' } },
      sample: { name: ' Ada ' },
    },
  ],
  adapter: { text: 'name | trim | prefix("Hello ")' },
};

export const previewAdapter = defineOperation({
  id: 'previewAdapter',
  method: 'post',
  path: '/api/adapters/preview',
  family: 'preview',
  summary: 'Preview a field mapping',
  description:
    'Runs a field mapping on sample messages with the engine that compiles and runs flows. An error of the mapping returns 200 with ' +
    '`error`; only an invalid request is refused.',
  caller: 'full-key',
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: previewBody,
    messages: ['sources[].sample'],
    example: previewExample,
  },
  responses: {
    200: {
      description: 'The target message, or the error of the mapping.',
      shape: previewOutcome,
    },
    400: { description: 'The request is invalid.', contentType: 'text/plain' },
    404: { description: 'A message is not in the registry.', contentType: 'text/plain' },
  },
});
