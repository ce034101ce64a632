import { z } from 'zod';
import { defineOperation } from './operation.ts';

const secret = z
  .object({
    name: z.string().describe('What nodes declare it as.'),
    created_at: z.string().describe('When its name was first stored.'),
    updated_at: z.string().describe('When its value was last stored.'),
    armed: z.boolean().describe('Whether development runs may use it.'),
    armed_expires_at: z.string().nullable().describe('Until when; null: they may not.'),
  })
  .meta({ id: 'Secret' });

/** SPEC.md, GET /v1/secrets. */
export const listSecrets = defineOperation({
  id: 'listSecrets',
  method: 'get',
  path: '/api/v1/secrets',
  family: 'management',
  summary: "List the tenant's secrets",
  description:
    'Names and states. No key of any kind reads or writes a value: the operator stores them with `svc secret set`, and arms them ' +
    'for development runs with `svc secret arm`.',
  caller: 'full-key',
  scope: 'read',
  responses: { 200: { description: 'By their names.', shape: z.array(secret) } },
});
