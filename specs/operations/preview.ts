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
    'Full name of a published message, or `<handle>/<package>[@<version>]:<full name>` for that of one package.',
  );

/** Read by the operation itself, whose texts lead to the place within a draft. */
const messageSlot = jsonValue.meta({
  documentedAs: z.union([messageName, messageDraftShape]),
  description: 'Name or draft of a message.',
});

const edgeId = storableText.min(1, { error: 'is required' }).max(128);

const previewSource = z.strictObject({
  edge_id: edgeId.describe('What expressions of a compose plan call the edge.'),
  msg_name: messageSlot,
  sample: jsonValue.describe('The message as JSON.'),
});

/** Expression of one field; where it names no edge it reads `src_edge_id`. */
const composeBinding = z.strictObject({
  field: storableText.describe('Field path of the target.'),
  expression: storableText.describe('A pick, literal, transform or CEL.'),
  src_edge_id: edgeId.optional().describe('Edge that it reads where it names none.'),
});

const composeMapping = z.strictObject({
  edge_adapters: z
    .record(edgeId, fieldExpressions)
    .default({})
    .describe('By edge: expression by field path of the target, reading that edge.'),
  compose_plan: z
    .union([fieldExpressions, z.array(composeBinding)], {
      error: 'must be an object of expressions by field path, or a list of {field, expression, src_edge_id}',
    })
    .default({})
    .describe('Expression by field path, as edge_id:a.b; or a list of bindings that name their edge.'),
});

/** Body of `POST /adapters/preview` (SPEC.md). */
export const previewBody = z
  .strictObject({
    dst_msg_name: messageSlot,
    sources: z
      .array(previewSource)
      .min(1, { error: 'needs at least one entry' })
      .max(limits.previewSources, { error: `has more than ${limits.previewSources} entries` })
      .describe('Samples; exactly one with adapter.'),
    adapter: fieldExpressions.optional().describe('Expression by field path of the target.'),
    compose_mapping: composeMapping
      .optional()
      .describe('Mapping of several edges; exactly one of adapter and compose_mapping.'),
  })
  .meta({ id: 'PreviewAdapter' });

export type PreviewBody = z.infer<typeof previewBody>;

export const previewOutcome = z.union([
  z.object({ output: z.unknown().describe('The target message as JSON.') }),
  z.object({ error: z.string().describe('What is wrong with the mapping.') }),
]);

const previewExample = {
  dst_msg_name: { message_name: 'Greeting', fields: { text: 'string' } },
  sources: [
    {
      edge_id: 'asked',
      msg_name: { message_name: 'Person', fields: { name: 'string' } },
      sample: { name: ' Ada ' },
    },
  ],
  adapter: { text: 'name | trim | prefix("Hello ")' },
};

/** Tries a field mapping on samples (SPEC.md, POST /adapters/preview). */
export const previewAdapter = defineOperation({
  id: 'previewAdapter',
  method: 'post',
  path: '/api/adapters/preview',
  family: 'preview',
  summary: 'Run a field mapping on sample messages',
  description:
    'By the engine that compiles and runs flows. What is wrong with the mapping is a 200 with `error`; only a malformed request is ' +
    'refused.',
  caller: 'full-key',
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: previewBody, example: previewExample },
  responses: {
    200: {
      description: 'The target message as JSON, or what is wrong with the mapping.',
      shape: previewOutcome,
    },
    400: { description: 'The body is malformed.', contentType: 'text/plain' },
    404: { description: 'A message is not in the registry.', contentType: 'text/plain' },
  },
});
