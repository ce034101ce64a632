import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError } from './error-shapes.ts';
import { messageDraft } from './message-draft.ts';
import { defineOperation } from './operation.ts';
import { secretName } from './package-shapes.ts';
import { storableText } from './storable-text.ts';

/** Required fields are optional here, because the handler reports a missing field with its own error text. */
export const instanceBody = z
  .strictObject({
    generic_package: storableText
      .max(256)
      .optional()
      .describe('Package of the generic node, as `<handle>/<name>`. Required.'),
    generic_node: storableText.max(64).optional().describe('Name of the generic node. Required.'),
    generic_version: storableText
      .max(64)
      .optional()
      .describe('Version of the generic package. Empty or `latest` pins the current latest version.'),
    name: storableText
      .max(256)
      .optional()
      .describe('Name of the Instance, as `<handle>/<instance-name>` with your own handle. Required.'),
    version: storableText
      .max(64)
      .optional()
      .describe('Version of the shell package. Default: `0.1.0`, or the version of the existing package.'),
    package_description: storableText.max(4096).optional().describe('Description of the shell package.'),
    node_description: storableText.max(4096).optional().describe('Description of the node.'),
    visibility: z
      .enum(['public', 'private'])
      .optional()
      .describe('Visibility of the shell package. Default: `private`.'),
    required_secrets: z
      .array(secretName)
      .max(100)
      .optional()
      .describe('Names of the secrets that the node requires.'),
    output: messageDraft.optional().describe('Message to bind to an open output port.'),
    input: messageDraft.optional().describe('Message to bind to an open input port.'),
  })
  .meta({ id: 'CreateInstance' });

/** A request for an Instance. `checkInstanceRequest` refuses one without a required field. */
export type InstanceBody = z.infer<typeof instanceBody>;

export const instanceRow = z
  .object({
    package_id: z.string().describe('Id of the shell package.'),
    node_ulid: z.string().describe('26-character registry id of the node.'),
    name: z.string().describe('Name of the Instance, as `<handle>/<instance-name>`.'),
    version: z.string().describe('Version of the shell package.'),
    scope: z.string().describe('Handle of the name.'),
    owner_tenant_id: z.string().describe('Id of the owning tenant.'),
    visibility: z.number().int().describe('Visibility: 0 for private, 1 for public.'),
    generic_package: z.string().describe('Package of the generic node.'),
    generic_version: z.string().describe('Pinned version of the generic package.'),
    generic_node_ulid: z.string().describe('26-character registry id of the generic node.'),
    output_message: z.string().optional().describe('Message bound to the output port.'),
    input_message: z.string().optional().describe('Message bound to the input port.'),
  })
  .meta({ id: 'Instance' });

const instanceExample = {
  generic_package: 'acme/generic',
  generic_node: 'Mock',
  name: 'acme/invoices',
  output: {
    message_name: 'Invoice',
    description: 'An invoice.',
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

export const createInstance = defineOperation({
  id: 'createInstance',
  method: 'post',
  path: '/api/v1/instances',
  family: 'management',
  summary: 'Create an Instance',
  description:
    'Binds the open ports of a generic node to message types defined in the request. The Instance needs no build or deployment: ' +
    'it can be called while the generic node is deployed.',
  caller: 'full-key',
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.instanceBodyBytes, shape: instanceBody, example: instanceExample },
  responses: {
    201: {
      description: 'The Instance. It can be called, used in flows and built into SDKs.',
      shape: instanceRow,
    },
    400: { description: 'A field is missing or invalid, or a port cannot be bound.', shape: managementError },
    403: { description: 'The handle of the name belongs to another tenant.', shape: managementError },
    404: {
      description: 'The generic package, version or node is unknown, or private to another tenant.',
      shape: managementError,
    },
    409: { description: 'An Instance with this name exists.', shape: managementError },
  },
});
