import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError } from './error-shapes.ts';
import { jsonValue } from './json-value.ts';
import { defineOperation } from './operation.ts';
import { secretName } from './package-shapes.ts';
import { storableText } from './storable-text.ts';

/** Checked by `service/messages/drafts`, whose texts lead to the place within the draft. */
export const messageDraft = jsonValue.describe(
  'Message draft: {message_name, description?, fields: {<name>: <kind> | {kind, repeated?, optional?, description?} | {kind: "message", message: <draft>, ...}}}.',
);

/** Body of `POST /v1/instances`. What is required is told by the operation itself, in the words of SPEC.md. */
export const instanceBody = z
  .strictObject({
    generic_package: storableText
      .max(256)
      .optional()
      .describe('<handle>/<name> of the Generic node; required.'),
    generic_node: storableText.max(64).optional().describe("The node's name; required."),
    generic_version: storableText.max(64).optional().describe('Empty or latest pins the latest version now.'),
    name: storableText
      .max(256)
      .optional()
      .describe('<handle>/<instance-name>, the handle your own; required.'),
    version: storableText.max(64).optional().describe('Of the shell package; 0.1.0 when left out.'),
    package_description: storableText.max(4096).optional(),
    node_description: storableText.max(4096).optional(),
    visibility: z.enum(['public', 'private']).optional().describe('private when left out.'),
    required_secrets: z.array(secretName).max(100).optional().describe('Names of secrets, never values.'),
    output: messageDraft.optional(),
    input: messageDraft.optional(),
  })
  .meta({ id: 'CreateInstance' });

export type InstanceBody = z.infer<typeof instanceBody>;

/** SPEC.md, Instance row. */
export const instanceRow = z
  .object({
    package_id: z.string(),
    node_ulid: z.string(),
    name: z.string(),
    version: z.string(),
    scope: z.string(),
    owner_tenant_id: z.string(),
    visibility: z.number().int().describe('0 private, 1 public.'),
    generic_package: z.string(),
    generic_version: z.string(),
    generic_node_ulid: z.string(),
    output_message: z.string().optional(),
    input_message: z.string().optional(),
  })
  .meta({ id: 'Instance' });

/** Instances: a Generic node's ports bound to messages (SPEC.md, POST /v1/instances). */
export const createInstance = defineOperation({
  id: 'createInstance',
  method: 'post',
  path: '/api/v1/instances',
  family: 'management',
  summary: 'Bind the open ports of a generic node to messages',
  caller: 'full-key',
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.instanceBodyBytes, shape: instanceBody },
  responses: {
    201: {
      description: 'Created; the node can be called, placed in flows and built into SDKs.',
      shape: instanceRow,
    },
    400: { description: 'What is missing, or what cannot be bound.', shape: managementError },
    403: { description: "The name's handle is not the caller's.", shape: managementError },
    404: {
      description: 'The generic package, version or node is unknown or unreadable.',
      shape: managementError,
    },
    409: { description: 'The name is taken.', shape: managementError },
  },
});
