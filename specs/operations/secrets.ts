import { z } from 'zod';
import { defineOperation } from './operation.ts';

export const secretMetadata = z
  .object({
    name: z.string().describe('Name by which nodes declare the secret.'),
    created_at: z.string().describe('Time at which the secret was first stored, ISO 8601 in UTC.'),
    updated_at: z.string().describe('Time at which its value was last stored, ISO 8601 in UTC.'),
    armed: z.boolean().describe('Whether development runs may use it.'),
    armed_expires_at: z
      .string()
      .nullable()
      .describe('Time until which development runs may use it, or `null`.'),
  })
  .meta({ id: 'Secret' });

export const listSecrets = defineOperation({
  id: 'listSecrets',
  method: 'get',
  path: '/api/v1/secrets',
  family: 'management',
  summary: 'List secrets',
  description:
    'Lists the names and states of secrets. The API never returns or accepts values: the operator stores them with ' +
    '`svc secret set` and arms them for development runs with `svc secret arm`.',
  caller: 'full-key',
  scope: 'read',
  queued: true,
  responses: { 200: { description: 'The secrets, ordered by name.', shape: z.array(secretMetadata) } },
});
