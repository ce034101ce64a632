import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

/** Command-line logins: a key for a program that has none, with the operator's approval. */
export const startLogin = defineOperation({
  id: 'startLogin',
  method: 'post',
  path: '/api/v1/logins',
  family: 'management',
  summary: 'Start a login',
  description:
    'Starts a login of a program that has no key. Show the user the code; the operator approves it with ' +
    '`svc login approve <code> --tenant <handle>`. Meanwhile, poll with the secret. A login that is not approved expires.',
  caller: 'public',
  responses: {
    201: {
      description: 'The login waits for its approval.',
      shape: z
        .object({
          user_code: z
            .string()
            .describe('Code that the operator approves: eight letters with a hyphen in the middle.'),
          login_secret: z
            .string()
            .describe(
              'Polls for the key: 64 hex characters. Anyone who has it gets the key, so keep it secret.',
            ),
          expires_in: z.number().int().describe('Seconds until the login expires.'),
          interval: z.number().int().describe('Seconds to wait between two polls.'),
        })
        .meta({ id: 'StartedLogin' }),
    },
  },
});

export const pollLogin = defineOperation({
  id: 'pollLogin',
  method: 'post',
  path: '/api/v1/logins/poll',
  family: 'management',
  summary: 'Fetch the key of a login',
  description:
    'Returns the key of an approved login, a full key with the name `cli`. It is shown once: the response uses the login up.',
  caller: 'public',
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: z
      .strictObject({ login_secret: storableText.describe('The `login_secret` of the login.') })
      .meta({ id: 'PollLogin' }),
    example: { login_secret: '0'.repeat(64) },
  },
  responses: {
    200: {
      description: 'The login is approved. This response has its key.',
      shape: z
        .object({
          status: z.literal('approved').describe('Always `approved`.'),
          key: z.string().describe('The raw key: 64 hex characters.'),
          key_id: z.string().describe('Id of the key. The id is not secret.'),
          tenant: z.string().describe('Handle of the tenant that owns the key.'),
        })
        .meta({ id: 'ApprovedLogin' }),
    },
    202: {
      description: 'The login waits for its approval. Poll again after the interval.',
      shape: z
        .object({ status: z.literal('pending').describe('Always `pending`.') })
        .meta({ id: 'PendingLogin' }),
    },
    404: { description: 'The login is unknown, expired or used.', shape: managementError },
  },
});
