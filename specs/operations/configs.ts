import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError } from './error-shapes.ts';
import { configId, configProfile } from './graph-shapes.ts';
import { defineOperation } from './operation.ts';

const configParams = z.object({
  config_id: configId.describe('What invocations call it; `default` is the tenant default.'),
});

const storedConfig = z
  .object({
    config_id: z.string().describe('What invocations call it.'),
    config: configProfile,
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'StoredConfig' });

/** Config profiles of a tenant, for all of its flows (DESIGN.md 7); `default` is the tenant default. */
export const putConfig = defineOperation({
  id: 'putConfig',
  method: 'put',
  path: '/api/v1/configs/{config_id}',
  family: 'management',
  summary: 'Create or replace a config profile',
  caller: 'full-key',
  scope: 'write',
  params: configParams,
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: configProfile,
    example: { currency: 'EUR', audience: 'shop' },
  },
  responses: { 200: { description: 'Stored; runs that begin from now on get it.', shape: storedConfig } },
});

export const listConfigs = defineOperation({
  id: 'listConfigs',
  method: 'get',
  path: '/api/v1/configs',
  family: 'management',
  summary: "List the tenant's config profiles",
  caller: 'full-key',
  scope: 'read',
  responses: { 200: { description: 'By their ids.', shape: z.array(storedConfig) } },
});

export const getConfig = defineOperation({
  id: 'getConfig',
  method: 'get',
  path: '/api/v1/configs/{config_id}',
  family: 'management',
  summary: 'A config profile',
  caller: 'full-key',
  scope: 'read',
  params: configParams,
  responses: {
    200: { description: 'The profile.', shape: storedConfig },
    404: { description: 'No such profile.', shape: managementError },
  },
});

export const deleteConfig = defineOperation({
  id: 'deleteConfig',
  method: 'delete',
  path: '/api/v1/configs/{config_id}',
  family: 'management',
  summary: 'Delete a config profile',
  caller: 'full-key',
  scope: 'write',
  params: configParams,
  responses: { 204: { description: 'Deleted, whether or not it was there.' } },
});
