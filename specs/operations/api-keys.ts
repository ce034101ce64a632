import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError } from './error-shapes.ts';
import { defineOperation, scopes } from './operation.ts';
import { storableText } from './storable-text.ts';

const graphId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, { error: 'must be the graph_id of a compiled flow' });

const graphIds = z
  .array(graphId)
  .min(1, { error: 'must name at least one graph' })
  .max(limits.graphsPerAppKey, { error: `must name at most ${limits.graphsPerAppKey} graphs` })
  .describe('Ids of the graphs that the key may invoke, follow and warm.');

/** The handler checks each origin, so that its error can suggest a correction. */
const allowedOrigins = z
  .array(storableText.max(320))
  .max(limits.originsPerAppKey, { error: `must name at most ${limits.originsPerAppKey} origins` })
  .describe(
    'Browser origins that may use the key, as `scheme://host[:port]`. An empty list allows every origin. ' +
      'The allowlist limits abuse; it does not authenticate callers.',
  );

export const mintAppKeyBody = z
  .strictObject({
    name: storableText
      .min(1, { error: 'must not be empty' })
      .max(limits.keyNameCharacters)
      .describe('Display name.'),
    scopes: z
      .array(z.string())
      .refine((scopes) => scopes.length === 1 && scopes[0] === 'invoke', {
        error: 'must be ["invoke"]: create keys with other scopes with svc key create',
      })
      .default(['invoke'])
      .describe('Always `["invoke"]`.'),
    graph_ids: graphIds,
    allowed_origins: allowedOrigins.default([]),
    rate_rps: z
      .number()
      .positive()
      .max(limits.maxAppKeyRate.rps)
      .default(limits.appKeyRate.rps)
      .describe("Requests per second. The tenant's own rates apply as well."),
    rate_burst: z
      .number()
      .min(1)
      .max(limits.maxAppKeyRate.burst)
      .default(limits.appKeyRate.burst)
      .describe('Maximum number of requests in a burst.'),
    expires_at: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 time, such as 2026-01-31T12:00:00Z' })
      .nullable()
      .default(null)
      .describe('Time at which the key expires, or `null` if it never expires.'),
  })
  .meta({ id: 'MintAppKey' });

const time = z.string().describe('Time of creation, ISO 8601 in UTC.');

const rates = {
  rate_rps: z.number().describe('App keys: requests per second.'),
  rate_burst: z.number().describe('App keys: maximum number of requests in a burst.'),
};

/** A key without its secret. */
export const apiKeyRecord = z
  .object({
    id: z.string().describe('Id of the key. The id is not secret.'),
    kind: z.enum(['full', 'app']).describe('`full`: a key for servers. `app`: a public key for browsers.'),
    name: z.string().describe('Display name.'),
    key_hint: z.string().describe('The last characters of the key, to recognize it.'),
    scopes: z.array(z.enum(scopes)).describe('Scopes of the key.'),
    graph_ids: z.array(z.string()).describe('App keys: ids of the graphs that the key may use.'),
    allowed_origins: z
      .array(z.string())
      .describe('App keys: allowed browser origins. Empty allows every origin.'),
    rate_rps: rates.rate_rps.optional(),
    rate_burst: rates.rate_burst.optional(),
    created_at: time,
    expires_at: time
      .nullable()
      .describe('Time of expiry, ISO 8601 in UTC, or `null` if the key never expires.'),
    revoked_at: time
      .nullable()
      .describe('Time of revocation, ISO 8601 in UTC, or `null` if the key is valid.'),
    last_used_at: time
      .nullable()
      .describe('Time of the last use, ISO 8601 in UTC, with a delay of some seconds; `null` if unused.'),
  })
  .meta({ id: 'ApiKey' });

export const mintedAppKey = apiKeyRecord
  .pick({
    id: true,
    name: true,
    scopes: true,
    graph_ids: true,
    allowed_origins: true,
    created_at: true,
    expires_at: true,
  })
  .extend({ ...rates, key: z.string().describe('The raw key: `svcapp_` followed by 64 hex characters.') })
  .meta({ id: 'MintedAppKey' });

const keyParams = z.object({ key_id: storableText.describe('Id of the key.') });
const notFound = {
  description: 'No active app key of the tenant has this id.',
  shape: managementError,
};
const common = { family: 'management', caller: 'full-key' } as const;

const mintExample = {
  name: 'Shop',
  graph_ids: ['g_3f2c9a71'],
  allowed_origins: ['https://shop.example.com'],
};

/** App keys are managed over the API; full keys are managed by the operator. */
export const mintAppKey = defineOperation({
  ...common,
  id: 'mintAppKey',
  method: 'post',
  path: '/api/v1/api-keys',
  queued: true,
  summary: 'Create an app key',
  description:
    'Creates a public key for browser apps. It can invoke and warm the listed graphs and follow the runs that it started. ' +
    'Authorize user-specific data inside the flow. The response contains the raw key, which is never shown again.\n\n' +
    'The calling key also needs the scope `invoke`, because the new key receives it.',
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: mintAppKeyBody, example: mintExample },
  responses: {
    201: {
      description: 'The new key.',
      shape: mintedAppKey,
    },
    400: { description: 'A field is invalid.', shape: managementError },
    404: { description: 'The tenant has no graph with one of the ids.', shape: managementError },
  },
});

export const listApiKeys = defineOperation({
  ...common,
  id: 'listApiKeys',
  method: 'get',
  path: '/api/v1/api-keys',
  summary: 'List API keys',
  description:
    'Lists full keys and app keys, including revoked ones, oldest first. Raw keys are never included.',
  scope: 'read',
  queued: true,
  responses: { 200: { description: 'The keys, oldest first.', shape: z.array(apiKeyRecord) } },
});

export const changeAppKey = defineOperation({
  ...common,
  id: 'changeAppKey',
  method: 'patch',
  path: '/api/v1/api-keys/{key_id}',
  queued: true,
  summary: 'Update an app key',
  description:
    'Replaces the graphs, the origins, or both. A list that is left out stays unchanged; an empty list of origins allows ' +
    'every origin. Changes apply to the next request. Scopes, rates and expiry cannot be changed.\n\n' +
    'The calling key also needs the scope `invoke`.',
  scope: 'write',
  params: keyParams,
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: z
      .strictObject({ graph_ids: graphIds.optional(), allowed_origins: allowedOrigins.optional() })
      .meta({ id: 'ChangeAppKey' }),
    example: { allowed_origins: ['https://shop.example.com'] },
  },
  responses: {
    200: { description: 'The updated key.', shape: apiKeyRecord },
    400: { description: 'A field is invalid or cannot be changed.', shape: managementError },
    404: {
      description:
        'No active app key of the tenant has this id, or the tenant has no graph with one of the ids.',
      shape: managementError,
    },
  },
});

export const revokeAppKey = defineOperation({
  ...common,
  id: 'revokeAppKey',
  method: 'delete',
  path: '/api/v1/api-keys/{key_id}',
  summary: 'Revoke an app key',
  description:
    'Revokes the key. Its next use is refused. The operator revokes full keys with `svc key revoke`.',
  scope: 'write',
  params: keyParams,
  responses: { 204: { description: 'The key is revoked.' }, 404: notFound },
});
