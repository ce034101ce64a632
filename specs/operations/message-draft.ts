import { z } from 'zod';
import { limits } from '../limits.ts';
import { jsonValue } from './json-value.ts';

const description = z
  .string()
  .optional()
  .describe(`Description, folded to one line of at most ${limits.draftDescriptionCharacters} characters.`);

const scalarKind = z
  .enum(['string', 'int32', 'int64', 'uint32', 'uint64', 'double', 'float', 'bool', 'bytes'])
  .meta({ id: 'ScalarKind' });

const scalarField = z.strictObject({
  kind: scalarKind.describe('Type of the field.'),
  repeated: z.boolean().optional().describe('Makes the field a list. Excludes `optional`.'),
  optional: z.boolean().optional().describe('Distinguishes an absent field from one with the default value.'),
  description,
});

const messageField = z.strictObject({
  kind: z.literal('message').describe('A nested message, defined inline.'),
  repeated: z.boolean().optional().describe('Makes the field a list.'),
  optional: z.boolean().optional().describe('Accepted without effect: message fields are always optional.'),
  get message(): typeof messageDraftShape {
    return messageDraftShape;
  },
  description,
});

/** A message type defined inline in a request. */
export const messageDraftShape: z.ZodType<object> = z
  .strictObject({
    message_name: z.string().describe('Name of the message. Within a request, a name has one shape.'),
    description,
    fields: z
      .record(z.string(), z.union([scalarKind, scalarField, messageField]))
      .describe(`Fields by name, 1 to ${limits.fieldsPerMessage}.`),
  })
  .meta({ id: 'MessageDraft' });

/** An unchecked draft. `service/messages/drafts` checks it, with errors that contain the path within the draft. */
export const messageDraft = jsonValue.meta({ documentedAs: messageDraftShape });
