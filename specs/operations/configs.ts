import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError } from './error-shapes.ts';
import { configId, configProfile } from './graph-shapes.ts';
import { defineOperation } from './operation.ts';

const configParams = z.object({
  config_id: configId.describe('Id of the profile. `default` is the default of the tenant.'),
});

export const storedConfig = z
  .object({
    config_id: z.string().describe('Id of the profile.'),
    config: configProfile,
    created_at: z.string().describe('Time of creation, ISO 8601 in UTC.'),
    updated_at: z.string().describe('Time of the last change, ISO 8601 in UTC.'),
  })
  .meta({ id: 'StoredConfig' });

/** Config profiles of a tenant apply to all of its flows. */
export const putConfig = defineOperation({
  id: 'putConfig',
  method: 'put',
  path: '/api/v1/configs/{config_id}',
  queued: true,
  family: 'management',
  summary: 'Create or replace a config profile',
  description:
    'Stores settings that nodes receive. An invocation selects a profile by `config_id`. Without one, the tenant default applies, ' +
    'and then the default of the flow. Runs that start after the change receive the new settings.',
  caller: 'full-key',
  scope: 'write',
  params: configParams,
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: configProfile,
    example: { currency: 'EUR', audience: 'shop' },
  },
  responses: {
    200: { description: 'The stored profile.', shape: storedConfig },
    409: { description: 'The tenant has too many profiles.', shape: managementError },
  },
});

export const listConfigs = defineOperation({
  id: 'listConfigs',
  method: 'get',
  path: '/api/v1/configs',
  family: 'management',
  summary: 'List config profiles',
  description: 'Lists the config profiles of the tenant.',
  caller: 'full-key',
  scope: 'read',
  queued: true,
  responses: { 200: { description: 'The profiles, ordered by id.', shape: z.array(storedConfig) } },
});

export const getConfig = defineOperation({
  id: 'getConfig',
  method: 'get',
  path: '/api/v1/configs/{config_id}',
  family: 'management',
  summary: 'Get a config profile',
  description: 'Returns a config profile.',
  caller: 'full-key',
  scope: 'read',
  params: configParams,
  responses: {
    200: { description: 'The profile.', shape: storedConfig },
    404: { description: 'The profile does not exist.', shape: managementError },
  },
});

export const deleteConfig = defineOperation({
  id: 'deleteConfig',
  method: 'delete',
  path: '/api/v1/configs/{config_id}',
  family: 'management',
  summary: 'Delete a config profile',
  description: 'Deletes a config profile. Succeeds if the profile does not exist.',
  caller: 'full-key',
  scope: 'write',
  params: configParams,
  responses: { 204: { description: 'The profile does not exist anymore.' } },
});
