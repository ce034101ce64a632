import { z } from 'zod';
import { limits } from '../limits.ts';
import { jsonValue } from './json-value.ts';

const description = z
  .string()
  .optional()
  .describe(`For people: folded to one line, cut at ${limits.draftDescriptionCharacters} characters.`);

const scalarKind = z
  .enum(['string', 'int32', 'int64', 'uint32', 'uint64', 'double', 'float', 'bool', 'bytes'])
  .meta({ id: 'ScalarKind' });

const scalarField = z.strictObject({
  kind: scalarKind.describe('Type of the value.'),
  repeated: z.boolean().optional().describe('A list; not together with optional.'),
  optional: z.boolean().optional().describe('Whether absence differs from the default value.'),
  description,
});

const messageField = z.strictObject({
  kind: z.literal('message').describe('A message, defined here.'),
  repeated: z.boolean().optional().describe('A list.'),
  optional: z.boolean().optional().describe('Messages always are.'),
  get message(): typeof messageDraftShape {
    return messageDraftShape;
  },
  description,
});

/** What a message draft is (SPEC.md, POST /v1/instances). */
export const messageDraftShape: z.ZodType<object> = z
  .strictObject({
    message_name: z.string().describe('One name, one shape within a request.'),
    description,
    fields: z
      .record(z.string(), z.union([scalarKind, scalarField, messageField]))
      .describe(`By name: 1 to ${limits.fieldsPerMessage} fields.`),
  })
  .meta({ id: 'MessageDraft' });

/** A draft as it arrives: checked by `service/messages/drafts`, whose texts lead to the place within it. */
export const messageDraft = jsonValue.meta({ documentedAs: messageDraftShape });
