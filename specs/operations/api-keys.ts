import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const graphId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, { error: 'must be the graph_id of a compiled flow' });

const graphIds = z
  .array(graphId)
  .min(1, { error: 'must name at least one graph' })
  .max(limits.graphsPerAppKey, { error: `must name at most ${limits.graphsPerAppKey} graphs` })
  .describe('Graphs that the key may invoke, follow and warm.');

/** Whether a text is an origin is said by the operation itself, in words that tell what to write instead. */
const allowedOrigins = z
  .array(storableText.max(320))
  .max(limits.originsPerAppKey, { error: `must name at most ${limits.originsPerAppKey} origins` })
  .describe('Origins of browsers, as scheme://host[:port]; none: unrestricted. Against abuse only.');

export const mintAppKeyBody = z
  .strictObject({
    name: storableText
      .min(1, { error: 'must not be empty' })
      .max(limits.keyNameCharacters)
      .describe('Label for people.'),
    scopes: z
      .array(z.string())
      .refine((scopes) => scopes.length === 1 && scopes[0] === 'invoke', {
        error: 'must be ["invoke"]: keys with other scopes are made by svc key create',
      })
      .default(['invoke'])
      .describe('Always invoke alone.'),
    graph_ids: graphIds,
    allowed_origins: allowedOrigins.default([]),
    rate_rps: z
      .number()
      .positive()
      .max(limits.maxAppKeyRate.rps)
      .default(limits.appKeyRate.rps)
      .describe("Requests a second, within the tenant's own rates."),
    rate_burst: z
      .number()
      .min(1)
      .max(limits.maxAppKeyRate.burst)
      .default(limits.appKeyRate.burst)
      .describe('Requests at once.'),
    expires_at: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 time, such as 2026-01-31T12:00:00Z' })
      .nullable()
      .default(null)
      .describe('From when on the key is refused; null: never.'),
  })
  .meta({ id: 'MintAppKey' });

const time = z.string().describe('ISO 8601, UTC.');

/** A key without its secret; SPEC.md, App key, and what DESIGN.md 7 adds. */
export const apiKeyRecord = z
  .object({
    id: z.string().describe('Id of the key, which is no secret.'),
    kind: z.enum(['full', 'app']).describe("full: a tenant's own key; app: one for browsers."),
    name: z.string().describe('Label for people.'),
    key_hint: z.string().describe('The last characters of the key, to tell keys apart.'),
    scopes: z.array(z.enum(['read', 'write', 'invoke'])).describe('What it may do.'),
    graph_ids: z.array(z.string()).describe('Of an app key: the graphs that it may use.'),
    allowed_origins: z.array(z.string()).describe('Of an app key; empty: every origin.'),
    rate_rps: z.number().describe('Requests a second.'),
    rate_burst: z.number().describe('Requests at once.'),
    created_at: time,
    expires_at: time.nullable().describe('ISO 8601, UTC; null: never.'),
    revoked_at: time.nullable().describe('ISO 8601, UTC; null: it stands.'),
    last_used_at: time.nullable().describe('Some seconds behind the truth.'),
  })
  .meta({ id: 'ApiKey' });

const keyParams = z.object({ key_id: storableText.describe('Id of the key.') });
const notFound = {
  description: "Unknown, another tenant's, revoked, or no app key.",
  shape: managementError,
};
const common = { family: 'management', caller: 'full-key' } as const;

const mintExample = {
  name: 'Shop',
  graph_ids: ['g_3f2c9a71'],
  allowed_origins: ['https://shop.example.com'],
};

/** App keys (SPEC.md, API keys): minted and changed over the API, where full keys are the operator's. */
export const mintAppKey = defineOperation({
  ...common,
  id: 'mintAppKey',
  method: 'post',
  path: '/api/v1/api-keys',
  summary: 'Mint an app key for browsers',
  description:
    'App keys are public: they reach the named graphs alone, by invoking and warming them and by following the runs that they ' +
    'started. Whatever is particular to a user has to be authorized within the flow. The raw key is shown this once. ' +
    'Needs a key with the scope `invoke` besides, which is what is given away.',
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: mintAppKeyBody, example: mintExample },
  responses: {
    201: {
      description: 'Minted.',
      shape: apiKeyRecord
        .pick({
          id: true,
          name: true,
          scopes: true,
          graph_ids: true,
          allowed_origins: true,
          rate_rps: true,
          rate_burst: true,
          created_at: true,
          expires_at: true,
        })
        .extend({ key: z.string().describe('svcapp_ and 64 hex characters.') })
        .meta({ id: 'MintedAppKey' }),
    },
    400: { description: 'What the key cannot be.', shape: managementError },
  },
});

export const listApiKeys = defineOperation({
  ...common,
  id: 'listApiKeys',
  method: 'get',
  path: '/api/v1/api-keys',
  summary: "List the tenant's keys",
  description: 'Full keys and app keys, revoked ones too, oldest first; never the keys themselves.',
  scope: 'read',
  responses: { 200: { description: 'By their time.', shape: z.array(apiKeyRecord) } },
});

export const changeAppKey = defineOperation({
  ...common,
  id: 'changeAppKey',
  method: 'patch',
  path: '/api/v1/api-keys/{key_id}',
  summary: 'Change the graphs or origins of an app key',
  description:
    'Each list that is sent replaces the one that stands; no origins: unrestricted. From the next request on. Scopes, rates ' +
    'and expiry are fixed when a key is minted. Needs a key with the scope `invoke` besides.',
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
    200: { description: 'The key as it is now.', shape: apiKeyRecord },
    400: { description: 'Another field, or what a list cannot be.', shape: managementError },
    404: notFound,
  },
});

export const revokeAppKey = defineOperation({
  ...common,
  id: 'revokeAppKey',
  method: 'delete',
  path: '/api/v1/api-keys/{key_id}',
  summary: 'Revoke an app key',
  description: 'From its next use on. Full keys are revoked by the operator, with `svc key revoke`.',
  scope: 'write',
  params: keyParams,
  responses: { 204: { description: 'Revoked.' }, 404: notFound },
});
