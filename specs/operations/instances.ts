import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError } from './error-shapes.ts';
import { messageDraft } from './message-draft.ts';
import { defineOperation } from './operation.ts';
import { secretName } from './package-shapes.ts';
import { storableText } from './storable-text.ts';

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
    package_description: storableText.max(4096).optional().describe('Of the shell package, for people.'),
    node_description: storableText.max(4096).optional().describe('Of the node, for people.'),
    visibility: z.enum(['public', 'private']).optional().describe('private when left out.'),
    required_secrets: z.array(secretName).max(100).optional().describe('Names of secrets, never values.'),
    output: messageDraft.optional().describe('What the open output gives.'),
    input: messageDraft.optional().describe('What the open input takes.'),
  })
  .meta({ id: 'CreateInstance' });

export type InstanceBody = z.infer<typeof instanceBody>;

/** SPEC.md, Instance row. */
export const instanceRow = z
  .object({
    package_id: z.string().describe('Id of the shell package.'),
    node_ulid: z.string().describe('26-character registry id of the node.'),
    name: z.string().describe('<handle>/<instance-name>'),
    version: z.string().describe('Of the shell package.'),
    scope: z.string().describe('The handle of the name.'),
    owner_tenant_id: z.string().describe('Whose it is.'),
    visibility: z.number().int().describe('0 private, 1 public.'),
    generic_package: z.string().describe('Package of the Generic node.'),
    generic_version: z.string().describe('Its version, pinned.'),
    generic_node_ulid: z.string().describe('26-character registry id of the Generic node.'),
    output_message: z.string().optional().describe('Name of the message that the output is bound to.'),
    input_message: z.string().optional().describe('Name of the message that the input is bound to.'),
  })
  .meta({ id: 'Instance' });

const instanceExample = {
  generic_package: 'acme/generic',
  generic_node: 'Mock',
  name: 'acme/invoices',
  output: {
    message_name: 'Invoice',
    description: 'What is owed.',
    fields: {
      number: 'string',
      total: { kind: 'double', optional: true, description: 'In euros.' },
      lines: {
        kind: 'message',
        repeated: true,
        message: { message_name: 'Line', fields: { sku: 'string', count: 'int64' } },
      },
    },
  },
};

/** Instances: a Generic node's ports bound to messages (SPEC.md, POST /v1/instances). */
export const createInstance = defineOperation({
  id: 'createInstance',
  method: 'post',
  path: '/api/v1/instances',
  family: 'management',
  summary: 'Bind the open ports of a generic node to messages',
  description:
    'The ports are bound to messages that are drafted in the request. Nothing is built: the Instance can be called as soon as ' +
    'the containers of the Generic node are.',
  caller: 'full-key',
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.instanceBodyBytes, shape: instanceBody, example: instanceExample },
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
